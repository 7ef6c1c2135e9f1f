// The few routines of LAPACK that we use, straight from OpenBLAS, which has them all: LAPACKE would
// bring four more libraries for eight calls. Matrices are column-major, of which the upper triangle
// is read: what is column-major upper is our row-major lower.
#pragma once

#include <cstdint>
#include <span>

namespace rankine::lapack {

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
