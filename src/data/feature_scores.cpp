// The values of one feature as scores; declared in include/rankine/scores.hpp.
#include <algorithm>
#include <string>

#include <rankine/error.hpp>
#include <rankine/scores.hpp>

namespace rankine {
namespace {

void read_column(const DenseMatrix& matrix, std::int64_t column, std::vector<double>& values) {
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    values[static_cast<std::size_t>(row)] =
        static_cast<double>(matrix.row(row)[static_cast<std::size_t>(column)]);
  }
}

void read_column(const CsrMatrix& matrix, std::int64_t column, std::vector<double>& values) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto first = matrix.columns.begin() + matrix.offsets[row];
    const auto last = matrix.columns.begin() + matrix.offsets[row + 1];
    const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(column));
    if (found == last || *found != static_cast<std::uint32_t>(column)) continue;
    values[row] = static_cast<double>(
        matrix.values[static_cast<std::size_t>(found - matrix.columns.begin())]);
  }
}

}  // namespace

std::vector<double> feature_scores(const Dataset& data, std::int64_t column) {
  if (column < 0 || column >= data.num_features()) {
    throw Error(ErrorKind::option,
                "feature: " + data.source + " has " + std::to_string(data.num_features()) +
                    " features, and none in column " + std::to_string(column + 1));
  }
  std::vector<double> values(static_cast<std::size_t>(data.num_documents()), 0.0);
  std::visit([&](const auto& matrix) { read_column(matrix, column, values); }, data.features);
  return values;
}

}  // namespace rankine
