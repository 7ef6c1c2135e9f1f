// Kernel values are saved with rounding errors of a share 2^-22. Independent errors of m values
// move a score by 2^-22 * |weights| * the largest value. Where that is more than a score may move
// unnoticed, the saved model is scored on the training data and its objective is evaluated.
#include "methods/saved_objective.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "features/kernel.hpp"

namespace rankine {
namespace {

/// The relative error of a kernel value.
constexpr double kKernelRounding = 0x1p-22;
/// Errors of scores up to this are negligible: pairs aim at margins of about 1.
constexpr double kOverlooked = 1e-5;

/// What independent errors of the kernel values do to a score.
double score_rounding(const ScoringFunction& function) {
  const auto* kernel = function.get_if<KernelFunction>();
  if (kernel == nullptr) return 0;
  double largest = 0;
  double squares = 0;
  for (std::size_t k = 0; k < kernel->weights.size(); ++k) {
    const auto row = static_cast<std::int64_t>(k);
    largest = std::max(largest, kernel_value(kernel->kernel, kernel->landmarks, row, row));
    squares += kernel->weights[k] * kernel->weights[k];
  }
  return kKernelRounding * largest * std::sqrt(squares);
}

double loss_of_scores(const Problem& problem, const QueryLoss& loss,
                      const std::vector<double>& scores) {
  const auto evaluator =
      problem.backend().score_evaluator(problem.table(), loss, problem.threads());
  std::vector<double> seen;
  for (const std::int64_t row : evaluator->rows()) {
    seen.push_back(scores[static_cast<std::size_t>(row)]);
  }
  return evaluator->at(std::move(seen))->value();
}

}  // namespace

void check_as_saved(const Problem& problem, const ObjectiveParts& parts,
                    const std::function<double()>& squared_norm, Solution& solution) {
  if (!(score_rounding(solution.function) > kOverlooked)) return;
  const double penalty = parts.penalty_weight * squared_norm();
  solution.objective_of_scores = [&problem, parts, penalty](const std::vector<double>& scores) {
    return penalty + parts.loss_weight * loss_of_scores(problem, *parts.loss, scores);
  };
}

}  // namespace rankine
