// The few routines of LAPACK that we use, straight from OpenBLAS, which has them all: LAPACKE would
// bring four more libraries for eight calls. Matrices are column-major, of which the upper triangle
// is read: what is column-major upper is our row-major lower.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/apart.hpp"

namespace rankine::lapack {

/// From this size on a factorisation takes long enough to be run apart (base/apart).
constexpr std::int64_t kLongSize = 500;

/// work(matrix) on a matrix that it owns: so that an interruption can leave it behind. Returns the
/// matrix.
template <class Number, class Work>
std::vector<Number> on_matrix(std::vector<Number> matrix, std::int64_t size, const Work& work) {
  if (size < kLongSize) {
    work(matrix.data());
    return matrix;
  }
  const auto owned = std::make_shared<std::vector<Number>>(std::move(matrix));
  run_apart([owned, work] { work(owned->data()); });
  return std::move(*owned);
}

/// The factor U of A = U'U in place of A. False when A is not positive definite.
bool factor(std::int64_t size, double* matrix);
bool factor(std::int64_t size, float* matrix);

/// The same with the largest pivots first, until none is above `least`. `pivots` counts from 0.
/// Returns the rank.
std::int64_t factor_pivoted(std::int64_t size, double* matrix, std::span<int> pivots, double least);

/// All eigenvalues, rising, and the eigenvectors as columns in place of the matrix. False where
/// entries are not finite or it does not converge.
bool eigenpairs(std::int64_t size, double* matrix, std::span<double> values);

/// The `count` largest eigenvalues, rising, with eigenvectors as columns. Destroys the matrix.
/// False as above.
bool top_eigenpairs(std::int64_t size, double* matrix, std::int64_t count, std::span<double> values,
                    std::span<double> vectors);

/// The eigenvalues of a tridiagonal matrix, rising, in place of its diagonal. Destroys `beside`.
/// False as above.
bool tridiagonal_eigenvalues(std::span<double> diagonal, std::span<double> beside);

/// Q of the factors QR in place of the matrix, height x width with width <= height, signs chosen so
/// that R's diagonal is not negative.
void orthonormalise(std::int64_t height, std::int64_t width, double* matrix);

}  // namespace rankine::lapack
