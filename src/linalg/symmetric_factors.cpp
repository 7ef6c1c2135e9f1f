// Pivoted Cholesky takes the row with the largest remaining diagonal at each step. Stopping early
// leaves an error whose trace is the sum of the remaining diagonal, and the pivots are the rows to
// keep. Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 10.3.
#include "linalg/symmetric_factors.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/contract.hpp"
#include "linalg/blas_access.hpp"
#include "linalg/lapack.hpp"

namespace rankine {

PivotedCholesky pivoted_cholesky(std::vector<double> matrix, std::int64_t size, double least) {
  const auto width = static_cast<std::size_t>(size);
  PivotedCholesky result;
  if (size == 0) return result;
  double trace = 0;
  double largest = 0;
  for (std::size_t k = 0; k < width; ++k) {
    trace += matrix[k * width + k];
    largest = std::max(largest, matrix[k * width + k]);
  }
  // Below this a pivot is rounding error.
  least = std::max(least, static_cast<double>(size) * 0x1p-52 * largest);
  struct Pivots {
    std::vector<int> order;
    std::int64_t rank = 0;
  };
  const auto found = std::make_shared<Pivots>();
  found->order.resize(width);
  matrix = lapack::on_matrix(std::move(matrix), size, [=](double* entries) {
    found->rank = lapack::factor_pivoted(size, entries, found->order, least);
  });
  const std::vector<int>& pivots = found->order;
  const auto kept = static_cast<std::size_t>(found->rank);
  result.factor.resize(kept * kept);
  double explained = 0;
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < std::min(row + 1, kept); ++column) {
      const double entry = matrix[row * width + column];
      explained += entry * entry;
      if (row < kept) result.factor[row * kept + column] = entry;
    }
  }
  result.pivots.assign(pivots.begin(), pivots.begin() + static_cast<std::ptrdiff_t>(kept));
  result.remaining = std::max(0.0, trace - explained);
  return result;
}

Eigenpairs largest_eigenpairs(std::vector<double> matrix, std::int64_t size, std::int64_t count) {
  RANKINE_ASSERT(count >= 1 && count <= size);
  const auto kept = static_cast<std::size_t>(count);
  struct Pairs {
    std::vector<double> values;
    std::vector<double> vectors;
    bool succeeded = false;
  };
  const auto found = std::make_shared<Pairs>();
  found->values.resize(kept);
  found->vectors.resize(static_cast<std::size_t>(size * count));
  lapack::on_matrix(std::move(matrix), size, [=](double* entries) {
    found->succeeded = lapack::top_eigenpairs(size, entries, count, found->values, found->vectors);
  });
  Eigenpairs result;
  if (!found->succeeded) return result;
  const std::vector<double>& values = found->values;
  const std::vector<double>& vectors = found->vectors;
  result.values.resize(kept);
  result.vectors.resize(vectors.size());
  const auto height = static_cast<std::size_t>(size);
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t from = kept - 1 - k;  // LAPACK's rise
    result.values[k] = values[from];
    for (std::size_t row = 0; row < height; ++row) {
      result.vectors[row * kept + k] = vectors[from * height + row];
    }
  }
  return result;
}

void solve_transposed(std::span<const double> factor, std::int64_t size, std::span<double> vector) {
  const auto n = static_cast<int>(size);
  const BlasAccess access;
  access->dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, factor.data(), n,
                vector.data(), 1);
}

void solve_rows(std::span<const float> factor, std::int64_t size, float* rows,
                std::int64_t num_rows) {
  const auto n = static_cast<int>(size);
  const BlasAccess access;
  access->strsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                static_cast<int>(num_rows), n, 1.0F, factor.data(), n, rows, n);
}

void multiply_rows(const float* rows, std::int64_t num_rows, std::int64_t size,
                   std::span<const float> matrix, std::int64_t columns, float* out) {
  const auto n = static_cast<int>(size);
  const auto width = static_cast<int>(columns);
  const BlasAccess access;
  access->sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(num_rows), width, n,
                1.0F, rows, n, matrix.data(), width, 0.0F, out, width);
}

void add_gram(const float* rows, std::int64_t num_rows, std::int64_t size,
              std::span<float> target) {
  const auto n = static_cast<int>(size);
  const BlasAccess access;
  access->ssyrk(CblasRowMajor, CblasLower, CblasTrans, n, static_cast<int>(num_rows), 1.0F, rows, n,
                1.0F, target.data(), n);
}

SingleCholesky::SingleCholesky(std::vector<float> matrix, std::int64_t size)
    : factor_(std::move(matrix)), size_(size) {
  const auto succeeded = std::make_shared<bool>();
  factor_ = lapack::on_matrix(std::move(factor_), size,
                              [=](float* entries) { *succeeded = lapack::factor(size, entries); });
  failed_ = !*succeeded;
}

void SingleCholesky::solve(std::span<double> vector) const {
  const auto n = static_cast<int>(size_);
  // Scaled so that no norm is too large or too small for single precision.
  double most = 0;
  for (const double value : vector) most = std::max(most, value < 0 ? -value : value);
  if (!(most > 0)) return;
  std::vector<float> single(vector.size());
  for (std::size_t k = 0; k < vector.size(); ++k) single[k] = static_cast<float>(vector[k] / most);
  const BlasAccess access;
  access->strsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, n, factor_.data(), n,
                single.data(), 1);
  access->strsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, factor_.data(), n,
                single.data(), 1);
  for (std::size_t k = 0; k < vector.size(); ++k) {
    vector[k] = most * static_cast<double>(single[k]);
  }
}

}  // namespace rankine
