#include "solvers/ridge_path.hpp"

#include <algorithm>
#include <cstddef>

#include "linalg/dense_algebra.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace rankine {
namespace {

/// 1 / (value + alpha), or 0 where that cannot be told from dividing by 0.
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

/// At the minimum the objective is t^T t - w . R^T t. Never negative but for rounding.
RidgeSolution solution(const GramSums& sums, double alpha, std::vector<double> weights,
                       bool singular) {
  RidgeSolution result{alpha, std::move(weights), 0, singular};
  result.objective = std::max(0.0, sums.squares - dot(result.weights, sums.slope));
  return result;
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
  if (alphas.size() == 1) {
    std::vector<double> weights(sums.slope);
    const bool singular = solve_shifted(sums.gram, alphas[0], weights);
    solutions.push_back(solution(sums, alphas[0], std::move(weights), singular));
    return solutions;
  }
  const SymmetricEigen eigen(sums.gram, sums.width);
  std::vector<double> slope(sums.slope.size());
  eigen.to_eigenbasis(sums.slope, slope);
  for (const double alpha : alphas) {
    solutions.push_back(solution(sums, alpha, solve_in_eigenbasis(eigen, slope, alpha),
                                 alpha == 0 && is_singular(eigen)));
  }
  return solutions;
}

}  // namespace rankine
