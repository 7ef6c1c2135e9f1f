// A kernel matrix from a file is checked before anything is learnt from it: square, symmetric, and
// its least eigenvalue, by Lanczos' method, not below 0 by more than rounding.
#include "features/precomputed.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "base/parallel.hpp"
#include "compute/query_rows.hpp"
#include "linalg/extreme_eigenvalues.hpp"

namespace rankine {

namespace {

void times(const DenseMatrix& matrix, std::span<const double> in, std::span<double> out,
           int threads) {
  constexpr std::int64_t kBlockRows = 256;
  parallel_for((matrix.num_rows + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto count = static_cast<std::size_t>(std::min(kBlockRows, matrix.num_rows - first));
    QueryRows(matrix.row(first).data())
        .products(in, out.subspan(static_cast<std::size_t>(first), count));
  });
}

}  // namespace

double matrix_entry(const FeatureMatrix& matrix, std::int64_t row, std::int64_t column) {
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    return static_cast<double>(dense->row(row)[static_cast<std::size_t>(column)]);
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  const auto* begin = sparse.columns.data() + sparse.offsets[static_cast<std::size_t>(row)];
  const auto* end = sparse.columns.data() + sparse.offsets[static_cast<std::size_t>(row) + 1];
  const auto wanted = static_cast<std::uint32_t>(column);
  const auto* found = std::lower_bound(begin, end, wanted);
  if (found == end || *found != wanted) return 0;
  return static_cast<double>(
      sparse.values[static_cast<std::size_t>(found - sparse.columns.data())]);
}

std::vector<double> precomputed_gram(const FeatureMatrix& rows,
                                     std::span<const std::int64_t> chosen) {
  std::vector<double> gram;
  gram.reserve(chosen.size() * chosen.size());
  for (const std::int64_t row : chosen) {
    for (const std::int64_t column : chosen) {
      gram.push_back(0.5 * (matrix_entry(rows, row, column) + matrix_entry(rows, column, row)));
    }
  }
  return gram;
}

FeatureMatrix checked_precomputed(const Dataset& data, int threads) {
  const std::int64_t size = data.num_documents();
  if (data.num_features() != size) {
    throw Error(ErrorKind::data,
                data.source + ": a precomputed kernel must be square: " + std::to_string(size) +
                    " documents have " + std::to_string(data.num_features()) + " features");
  }
  const auto width = static_cast<std::size_t>(size);
  std::vector<float> values(width * width);
  for (std::int64_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::int64_t from =
          data.input_rows.empty() ? static_cast<std::int64_t>(column) : data.input_rows[column];
      values[static_cast<std::size_t>(row) * width + column] =
          static_cast<float>(matrix_entry(data.features, row, from));
    }
  }
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  const auto input_row = [&](std::size_t row) {
    return std::to_string(
        1 + (data.input_rows.empty() ? static_cast<std::int64_t>(row) : data.input_rows[row]));
  };
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      const float one = values[row * width + column];
      const float other = values[column * width + row];
      if (!(std::abs(one - other) <= 1e-4F * largest)) {
        throw Error(ErrorKind::data, data.source +
                                         ": a precomputed kernel must be symmetric: rows " +
                                         input_row(row) + " and " + input_row(column) + " have " +
                                         real_text(static_cast<double>(one)) + " and " +
                                         real_text(static_cast<double>(other)) + " for each other");
      }
    }
  }
  DenseMatrix kernel{size, size, std::move(values)};
  const SpectrumEnds ends = extreme_eigenvalues(
      [&](std::span<const double> in, std::span<double> out) { times(kernel, in, out, threads); },
      size);
  if (ends.least < -1e-4 * std::max(std::abs(ends.largest), std::abs(ends.least))) {
    throw Error(ErrorKind::data, data.source +
                                     ": a precomputed kernel must be positive semi-definite, and "
                                     "this one has an eigenvalue of " +
                                     real_text(ends.least) + " or less");
  }
  return kernel;
}

}  // namespace rankine
