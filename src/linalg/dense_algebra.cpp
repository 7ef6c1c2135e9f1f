// Cholesky's factorisation: row by row in place for small matrices, where that is faster than
// loading and calling a library; by LAPACK above. Golub and Van Loan, "Matrix Computations",
// section 4.2.
#include "linalg/dense_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "linalg/blas_access.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/lapack.hpp"

namespace rankine {
namespace {

// Up to this many rows the plain way takes some ten microseconds, and none of the memory that a
// library's code for it takes.
constexpr std::int64_t kSmall = 64;

/// The lower factor, row by row. False when the matrix is not positive definite.
bool factor_small(std::size_t size, double* matrix) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const row = matrix + i * size;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = matrix + j * size;
      const double rest = row[j] - dot({row, j}, {other, j});
      if (i == j && !(rest > 0)) return false;
      row[j] = i == j ? std::sqrt(rest) : rest / other[j];
    }
  }
  return true;
}

void solve_small(std::size_t size, const double* factor, std::span<double> vector) {
  for (std::size_t i = 0; i < size; ++i) {
    const double* const row = factor + i * size;
    vector[i] = (vector[i] - dot({row, i}, vector)) / row[i];
  }
  for (std::size_t i = size; i-- > 0;) {
    const double* const row = factor + i * size;
    vector[i] /= row[i];
    for (std::size_t j = 0; j < i; ++j) vector[j] -= vector[i] * row[j];
  }
}

}  // namespace

CholeskyFactor::CholeskyFactor(std::vector<double> matrix, std::int64_t size)
    : factor_(std::move(matrix)), size_(size) {
  if (size <= kSmall) {
    failed_ = !factor_small(static_cast<std::size_t>(size), factor_.data());
    return;
  }
  const auto succeeded = std::make_shared<bool>();
  factor_ = lapack::on_matrix(std::move(factor_), size, [size, succeeded](double* entries) {
    *succeeded = lapack::factor(size, entries);
  });
  failed_ = !*succeeded;
}

double CholeskyFactor::least_pivot() const {
  const auto n = static_cast<std::size_t>(size_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) least = std::min(least, std::abs(factor_[k * n + k]));
  return least * least;
}

void CholeskyFactor::solve(std::span<double> vector) const {
  if (size_ <= kSmall) {
    solve_small(static_cast<std::size_t>(size_), factor_.data(), vector);
    return;
  }
  const auto n = static_cast<int>(size_);
  const BlasAccess access;
  access->dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, n, factor_.data(), n,
                vector.data(), 1);
  access->dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, factor_.data(), n,
                vector.data(), 1);
}

void add_cross_products(const float* left, const float* right, std::int64_t num_rows,
                        std::int64_t width, std::span<double> target, std::vector<float>& scratch) {
  scratch.resize(target.size());
  const auto d = static_cast<int>(width);
  const BlasAccess access;
  access->sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, d, static_cast<int>(num_rows), 1.0F,
                left, d, right, d, 0.0F, scratch.data(), d);
  for (std::size_t k = 0; k < target.size(); ++k) target[k] += static_cast<double>(scratch[k]);
}

}  // namespace rankine
