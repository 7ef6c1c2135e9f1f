// A function that is strongly convex with curvature 2 alpha lies above its minimum by at most
// |gradient|^2 / (4 alpha); with h half the gradient, |h|^2 / alpha. Sums are not exact: their
// errors are taken to be at most a share 2^-44 of the sizes summed, and the gap is larger by what
// such errors do to |h| and J, so that the interval [objective - gap, objective] holds the minimum.
// Strong convexity: Boyd and Vandenberghe, "Convex Optimization", 2004, section 9.1.2; rounding of
// sums: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapter 4.
#include "solvers/ridge/ridge_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "linalg/dense_algebra.hpp"

namespace rankine {
namespace {

/// A sum of so many products as a training has loses no more than this share of the sum of their
/// sizes: sums are blocked, and errors of the blocks rarely all point one way.
constexpr double kRounding = 0x1p-44;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Objective and gap, given half the gradient and what rounding may have done to each.
void set(RidgeSolution& solution, double objective, double objective_error, double half_norm,
         double half_error, double curvature) {
  solution.objective = std::max(0.0, objective);
  const double length = half_norm + half_error;
  solution.gap = curvature > 0 ? length * length / curvature + objective_error
                               : std::numeric_limits<double>::infinity();
  if (!std::isfinite(solution.gap)) solution.gap = std::numeric_limits<double>::infinity();
}

}  // namespace

void certify(const GramSums& sums, double curvature, RidgeSolution& solution) {
  const std::size_t width = solution.weights.size();
  const std::vector<double>& w = solution.weights;
  std::vector<double> product(width);  // R^T R w
  double reach = 0;                    // no less than |R w|
  for (std::size_t i = 0; i < width; ++i) {
    const double* row = sums.gram.data() + i * width;
    reach += std::sqrt(std::max(0.0, row[i])) * std::abs(w[i]);
    double sum = row[i] * w[i];
    for (std::size_t j = 0; j < i; ++j) {
      sum += row[j] * w[j];
      product[j] += row[j] * w[i];
    }
    product[i] += sum;
  }
  const double size = std::sqrt(sums.squares) + reach;
  double objective = sums.squares;
  double half = 0;
  double error = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const double h = product[i] + solution.alpha * w[i] - sums.slope[i];
    objective += w[i] * (product[i] + solution.alpha * w[i] - 2 * sums.slope[i]);
    half += h * h;
    const double lost = kRounding * (std::sqrt(std::max(0.0, sums.gram[i * width + i])) * size +
                                     solution.alpha * std::abs(w[i]));
    error += lost * lost;
  }
  set(solution, objective, kRounding * size * size, std::sqrt(half), std::sqrt(error), curvature);
}

void certify(const RankingRows& rows, RidgeSolution& solution, std::vector<double>& half_gradient,
             const StopCheck& stop) {
  const auto width = static_cast<std::size_t>(rows.width());
  const std::vector<double>& w = solution.weights;
  half_gradient.assign(width, 0.0);
  std::vector<double> lost(width);
  double objective = 0;
  double objective_error = 0;
  RankingRows::Block block;
  for (std::size_t q = 0; q < rows.num_queries(); ++q) {
    if (stop && q % 64 == 0 && stop()) break;
    rows.make(q, block);
    objective += block.unexplained;
    for (std::size_t r = 0; r < block.targets.size(); ++r) {
      const double* row = block.rows.data() + r * width;
      double score = 0;
      double size = std::abs(block.targets[r]);
      for (std::size_t f = 0; f < width; ++f) {
        score += row[f] * w[f];
        size += std::abs(row[f] * w[f]);
      }
      const double residual = block.targets[r] - score;
      const double residual_error = 16 * kEpsilon * size;
      objective += residual * residual;
      objective_error += (2 * std::abs(residual) + residual_error) * residual_error;
      for (std::size_t f = 0; f < width; ++f) {
        half_gradient[f] -= row[f] * residual;
        lost[f] += std::abs(row[f]) * (residual_error + kRounding * std::abs(residual));
      }
    }
  }
  objective_error += kRounding * objective;
  double half = 0;
  double error = 0;
  for (std::size_t f = 0; f < width; ++f) {
    const double penalty = solution.alpha * w[f];
    half_gradient[f] += penalty;
    objective += penalty * w[f];
    objective_error += 16 * kEpsilon * std::abs(penalty * w[f]);
    lost[f] += 16 * kEpsilon * std::abs(penalty);
    half += half_gradient[f] * half_gradient[f];
    error += lost[f] * lost[f];
  }
  set(solution, objective, objective_error, std::sqrt(half), std::sqrt(error), solution.alpha);
}

void refine(const RankingRows& rows, int threads, RidgeSolution& solution, const StopCheck& stop) {
  constexpr int kMostSteps = 5;
  const GramSums sums = normal_equations(rows, threads, stop);
  if (stop && stop()) return;
  std::vector<double> shifted(sums.gram);
  const std::size_t width = solution.weights.size();
  for (std::size_t k = 0; k < width; ++k) shifted[k * width + k] += solution.alpha;
  const CholeskyFactor factor(std::move(shifted), sums.width);
  if (factor.not_positive_definite()) return;
  RidgeSolution next(solution);
  std::vector<double> half_gradient;
  certify(rows, next, half_gradient, stop);
  for (int step = 0; step < kMostSteps && !(stop && stop()); ++step) {
    factor.solve(half_gradient);
    for (std::size_t f = 0; f < width; ++f) next.weights[f] -= half_gradient[f];
    certify(rows, next, half_gradient, stop);
    // A half is worth another step; rounding is all that is left otherwise.
    const bool is_better = next.gap < solution.gap;
    const bool goes_on = next.gap < 0.5 * solution.gap;
    if (is_better) solution = next;
    if (!goes_on) return;
  }
}

}  // namespace rankine
