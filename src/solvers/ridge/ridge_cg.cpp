// Conjugate gradients on the normal equations, without forming a matrix: each product is a pass
// over the data. The residual that the recurrence carries along drifts away from the true one, so
// after a fall by a factor of 1e6 the iteration starts again from the true gradient (iterative
// refinement). Later alphas start from the weights of the earlier ones.
// Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952; drift:
// Greenbaum, "Estimating the attainable accuracy of recursively computed residual methods", 1997.
#include "solvers/ridge/ridge_cg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "base/interruption.hpp"
#include "linalg/inner_product.hpp"
#include "solvers/conjugate_gradient.hpp"

namespace rankine {
namespace {

double norm(std::span<const double> a) {
  return std::sqrt(dot(a, a));
}

/// Rounding piles up in the residual that conjugate gradients carry along: they start again from
/// the true one, until it is small enough.
constexpr int kMostRestarts = 20;
constexpr double kDropBeforeRestart = 1e-6;

class RidgeCg {
 public:
  RidgeCg(const SmoothObjective& objective, double first_norm)
      : objective_(objective),
        size_(static_cast<std::size_t>(objective.size())),
        first_norm_(first_norm) {}

  RidgeSolution solve(double alpha, std::span<const double> start, double tolerance,
                      int max_iterations, const StopRequest& stop, SolveReport& report) {
    RidgeSolution solution{alpha, {start.begin(), start.end()}, 0, false};
    std::vector<double> step(size_);
    const double target = tolerance * first_norm_;
    std::unique_ptr<SmoothObjective::Point> point;
    for (int restart = 0;; ++restart) {
      try {
        point = objective_.at(solution.weights);
      } catch (const Interrupted&) {
        if (restart == 0) throw;
        report.termination = Termination::interrupted;
        return solution;
      }
      const double length = norm(point->gradient);
      report.objective = solution.objective = point->value;
      report.gap = objective_.penalty().gap(point->gradient);
      report.steps.push_back({solution.objective, length, 0, 0, 1, report.gap});
      if (length <= target) return solution;
      if (report.iterations >= max_iterations) {
        report.termination = Termination::iteration_limit;
        return solution;
      }
      if (restart == kMostRestarts) {
        report.termination = Termination::no_progress;
        return solution;
      }
      if (stop && stop(report)) {
        report.termination = Termination::interrupted;
        return solution;
      }
      std::vector<double> right(point->gradient);
      for (double& value : right) value = -value;
      const double drop = std::max(0.5 * target / length, kDropBeforeRestart);
      bool stopped = false;
      const int products = conjugate_gradient(
          [&](std::span<const double> in, std::span<double> out) {
            ++report.products;
            ++report.iterations;
            stopped = stopped || (stop && stop(report));
            if (stopped) {  // a product of 0 ends the iteration
              std::fill(out.begin(), out.end(), 0.0);
              return;
            }
            try {
              objective_.hessian_times(*point, in, out);
            } catch (const Interrupted&) {
              stopped = true;
              std::fill(out.begin(), out.end(), 0.0);
              return;
            }
          },
          {}, right, drop, max_iterations - report.iterations, step);
      for (std::size_t f = 0; f < size_; ++f) solution.weights[f] += step[f];
      if (stopped) {
        report.termination = Termination::interrupted;
        return solution;
      }
      if (products == 0) {
        report.termination = Termination::no_progress;
        return solution;
      }
    }
  }

 private:
  const SmoothObjective& objective_;
  std::size_t size_;
  double first_norm_;
};

}  // namespace

RidgeCgResult solve_ridge_cg(const LossEvaluator& loss, const ColumnScale& columns,
                             std::span<const double> alphas, double tolerance, int max_iterations,
                             const StopRequest& stop) {
  RidgeCgResult result;
  std::vector<double> start(static_cast<std::size_t>(loss.num_weights()));
  // The gradient at 0 is that of the loss, whatever alpha is.
  const double first_norm =
      norm(RankingObjective(loss, 1, columns, Penalty::none()).at_for_hessian(start)->gradient);
  for (const double alpha : alphas) {
    result.reports.emplace_back();
    // Only from 0 does the iteration find the shortest of all minimisers.
    if (alpha == 0) std::fill(start.begin(), start.end(), 0.0);
    const RankingObjective objective(loss, 1, columns, Penalty::l2(2 * alpha));
    result.solutions.push_back(
        RidgeCg(objective, first_norm)
            .solve(alpha, start, tolerance, max_iterations, stop, result.reports.back()));
    start = result.solutions.back().weights;
  }
  return result;
}

}  // namespace rankine
