// Ridge regression for every alpha of a list. In the eigenbasis of R^T R = V S V^T, shrinkage is a
// division by S + alpha: the decomposition is made once and each alpha costs a product with V. A
// single alpha takes a Cholesky factor, a third of the flops. At alpha = 0, directions whose
// eigenvalue cannot be told from 0 are left out: of all minimisers, the shortest.
// Golub and Van Loan, "Matrix Computations", section 6.1; Rifkin and Lippert, "Notes on regularized
// least squares", 2007.
#include "solvers/ridge/ridge_path.hpp"

#include <algorithm>
#include <cstddef>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "solvers/ridge/ridge_certificate.hpp"

namespace rankine {
namespace {

/// 1 / (value + alpha), or 0 where the divisor cannot be distinguished from 0.
double inverse(double value, double alpha, double negligible) {
  return value + alpha <= negligible ? 0.0 : 1 / (value + alpha);
}

/// (V S V^T + alpha I)^-1 (V b), b in the eigenbasis.
std::vector<double> solve_in_eigenbasis(const SymmetricEigen& eigen, std::span<const double> b,
                                        double alpha) {
  std::vector<double> shrunk(b.begin(), b.end());
  for (std::size_t k = 0; k < shrunk.size(); ++k) {
    shrunk[k] *= inverse(eigen.values()[k], alpha, eigen.negligible());
  }
  std::vector<double> result(shrunk.size());
  eigen.from_eigenbasis(shrunk, result);
  return result;
}

bool is_singular(const SymmetricEigen& eigen) {
  return eigen.size() > 0 && eigen.values().front() <= eigen.negligible();
}

}  // namespace

bool solve_shifted(const std::vector<double>& matrix, double alpha, std::span<double> b) {
  const std::size_t size = b.size();
  const auto n = static_cast<std::int64_t>(size);
  if (alpha > 0) {
    std::vector<double> shifted(matrix);
    for (std::size_t k = 0; k < size; ++k) shifted[k * size + k] += alpha;
    const CholeskyFactor factor(std::move(shifted), n);
    if (!factor.not_positive_definite()) {
      factor.solve(b);
      return false;
    }
  }
  const SymmetricEigen eigen(matrix, n);
  std::vector<double> there(size);
  eigen.to_eigenbasis(b, there);
  const auto solved = solve_in_eigenbasis(eigen, there, alpha);
  std::copy(solved.begin(), solved.end(), b.begin());
  return alpha == 0 && is_singular(eigen);
}

std::vector<RidgeSolution> solve_ridge(const GramSums& sums, std::span<const double> alphas) {
  std::vector<RidgeSolution> solutions;
  if (alphas.size() == 1 && alphas[0] > 0) {
    std::vector<double> weights(sums.slope);
    solve_shifted(sums.gram, alphas[0], weights);
    solutions.push_back({alphas[0], std::move(weights), 0, false});
    certify(sums, alphas[0], solutions.back());
    return solutions;
  }
  const SymmetricEigen eigen(sums.gram, sums.width);
  std::vector<double> slope(sums.slope.size());
  eigen.to_eigenbasis(sums.slope, slope);
  const double least = eigen.size() == 0 ? 0 : eigen.values().front() - eigen.negligible();
  for (const double alpha : alphas) {
    solutions.push_back(
        {alpha, solve_in_eigenbasis(eigen, slope, alpha), 0, alpha == 0 && is_singular(eigen)});
    certify(sums, std::max(alpha, alpha + least), solutions.back());
  }
  return solutions;
}

}  // namespace rankine
