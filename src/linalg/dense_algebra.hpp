// Dense linear algebra on small and middling symmetric matrices, in double.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankine {

/// The Cholesky factor of a symmetric positive definite matrix.
class CholeskyFactor {
 public:
  /// `matrix` is size x size; its lower triangle is read. not_positive_definite() tells a failure.
  CholeskyFactor(std::vector<double> matrix, std::int64_t size);
  bool not_positive_definite() const { return failed_; }
  /// The smallest square on the factor's diagonal. Requires: a factor.
  double least_pivot() const;
  /// vector <- matrix^-1 vector. Requires: a factor.
  void solve(std::span<double> vector) const;

 private:
  std::vector<double> factor_;
  std::int64_t size_;
  bool failed_ = false;
};

/// target (width x width) += left^T right, for row-major blocks of num_rows x width floats. Sums of
/// one call are in single precision: keep num_rows to some hundreds.
void add_cross_products(const float* left, const float* right, std::int64_t num_rows,
                        std::int64_t width, std::span<double> target, std::vector<float>& scratch);

}  // namespace rankine
