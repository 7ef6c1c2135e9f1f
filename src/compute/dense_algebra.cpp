#include "compute/dense_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <cblas.h>
#include <lapacke.h>

#include "compute/blas_access.hpp"

namespace rankine {

CholeskyFactor::CholeskyFactor(std::vector<double> matrix, std::int64_t size)
    : factor_(std::move(matrix)), size_(size) {
  // Row-major lower is column-major upper.
  const auto n = static_cast<lapack_int>(size);
  const BlasAccess access;
  failed_ = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, factor_.data(), n) != 0;
}

double CholeskyFactor::least_pivot() const {
  const auto n = static_cast<std::size_t>(size_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) least = std::min(least, std::abs(factor_[k * n + k]));
  return least * least;
}

void CholeskyFactor::solve(std::span<double> vector) const {
  const auto n = static_cast<lapack_int>(size_);
  const BlasAccess access;
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, n, factor_.data(), n,
              vector.data(), 1);
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, factor_.data(), n,
              vector.data(), 1);
}

void add_cross_products(const float* left, const float* right, std::int64_t num_rows,
                        std::int64_t width, std::span<double> target, std::vector<float>& scratch) {
  scratch.resize(target.size());
  const auto d = static_cast<int>(width);
  const BlasAccess access;
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, d, static_cast<int>(num_rows), 1.0F, left,
              d, right, d, 0.0F, scratch.data(), d);
  for (std::size_t k = 0; k < target.size(); ++k) target[k] += static_cast<double>(scratch[k]);
}

}  // namespace rankine
