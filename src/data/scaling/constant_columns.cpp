// Most columns show a second value within a few rows; only the others are looked at any further.
#include "data/scaling/constant_columns.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rankine {
namespace {

std::vector<std::int64_t> constant(const DenseMatrix& matrix) {
  std::vector<std::int64_t> candidates(static_cast<std::size_t>(matrix.num_columns));
  std::iota(candidates.begin(), candidates.end(), std::int64_t{0});
  for (std::int64_t row = 1; row < matrix.num_rows && !candidates.empty(); ++row) {
    const float* here = matrix.row(row).data();
    const float* first = matrix.values.data();
    std::erase_if(candidates, [&](std::int64_t column) { return here[column] != first[column]; });
  }
  return candidates;
}

std::vector<std::int64_t> constant(const CsrMatrix& matrix) {
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  std::vector<std::int64_t> count(width);
  std::vector<float> value(width);
  std::vector<char> varies(width);
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    const std::uint32_t column = matrix.columns[k];
    if (count[column]++ == 0) value[column] = matrix.values[k];
    varies[column] |= static_cast<char>(matrix.values[k] != value[column]);
  }
  std::vector<std::int64_t> columns;
  for (std::size_t f = 0; f < width; ++f) {
    const bool all_or_none = count[f] == 0 || count[f] == matrix.num_rows || value[f] == 0;
    if (varies[f] == 0 && all_or_none) columns.push_back(static_cast<std::int64_t>(f));
  }
  return columns;
}

}  // namespace

std::vector<std::int64_t> constant_columns(const FeatureMatrix& matrix) {
  return std::visit([](const auto& rows) { return constant(rows); }, matrix);
}

}  // namespace rankine
