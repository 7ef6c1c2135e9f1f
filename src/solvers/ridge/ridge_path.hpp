// Least squares with a penalty, |t - R w|^2 + alpha |w|^2, for every alpha of a list:
//   (R^T R + alpha I) w = R^T t.
// One alpha: a Cholesky factor, d^3 / 3. Several: one eigendecomposition, 9 d^3, and d^2 for each.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "linalg/gram_sums.hpp"

namespace rankine {

struct RidgeSolution {
  double alpha = 0;
  std::vector<double> weights;
  double objective = 0;
  bool singular = false;  // alpha = 0 and R^T R has no inverse: the smallest of all minima
  double gap = std::numeric_limits<double>::infinity();  // certified: see ridge_certificate.hpp
};

/// One solution for each of `alphas` (>= 0), in their order, certified.
std::vector<RidgeSolution> solve_ridge(const GramSums& sums, std::span<const double> alphas);

/// Solves (lower triangle of `matrix` + alpha I) x = b in place of b; for alpha = 0, and where
/// rounding leaves no Cholesky factor, by eigenvalues, with the smallest x. True when singular.
bool solve_shifted(const std::vector<double>& matrix, double alpha, std::span<double> b);

}  // namespace rankine
