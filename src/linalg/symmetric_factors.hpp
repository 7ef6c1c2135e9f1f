// Factors of symmetric positive semi-definite matrices, and products of single precision blocks
// with them. Matrices are row-major.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankine {

/// The first `rank` pivots of a Cholesky factorisation with the largest remaining diagonal first,
/// and the factor of the matrix at these pivots: lower, rank x rank.
struct PivotedCholesky {
  std::vector<std::int64_t> pivots;
  std::vector<double> factor;
  double remaining = 0;  // the trace that no pivot explains
};
/// Stops when the largest remaining diagonal entry is at most `least`. Cost: size * rank^2.
PivotedCholesky pivoted_cholesky(std::vector<double> matrix, std::int64_t size, double least);

/// The `count` largest eigenvalues, falling, and their eigenvectors: size x count.
struct Eigenpairs {
  std::vector<double> values;
  std::vector<double> vectors;
};
Eigenpairs largest_eigenpairs(std::vector<double> matrix, std::int64_t size, std::int64_t count);

/// vector <- factor^-T vector, for a lower triangular factor.
void solve_transposed(std::span<const double> factor, std::int64_t size, std::span<double> vector);

/// rows (num_rows x size) <- rows * factor^-T.
void solve_rows(std::span<const float> factor, std::int64_t size, float* rows,
                std::int64_t num_rows);

/// out (num_rows x columns) = rows (num_rows x size) * matrix (size x columns).
void multiply_rows(const float* rows, std::int64_t num_rows, std::int64_t size,
                   std::span<const float> matrix, std::int64_t columns, float* out);

/// target (size x size, lower triangle) += rows^T rows, all in single precision.
void add_gram(const float* rows, std::int64_t num_rows, std::int64_t size, std::span<float> target);

/// The Cholesky factor of a positive definite matrix in single precision: a preconditioner.
class SingleCholesky {
 public:
  /// The lower triangle of `matrix` is read.
  SingleCholesky(std::vector<float> matrix, std::int64_t size);
  bool failed() const { return failed_; }
  /// vector <- matrix^-1 vector. Requires: not failed().
  void solve(std::span<double> vector) const;

 private:
  std::vector<float> factor_;
  std::int64_t size_;
  bool failed_ = false;
};

}  // namespace rankine
