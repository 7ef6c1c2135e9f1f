#include "solvers/ridge_cg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

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
  RidgeCg(const QuerySweep& sweep, const ColumnScale& columns)
      : sweep_(sweep), columns_(columns), size_(static_cast<std::size_t>(sweep.num_features())) {
    slope_at_zero_.resize(size_);
    loss_gradient(std::vector<double>(size_), slope_at_zero_);
  }

  RidgeSolution solve(double alpha, std::span<const double> start, double tolerance,
                      int max_iterations, const StopRequest& stop, SolveReport& report) {
    RidgeSolution solution{alpha, {start.begin(), start.end()}, 0, false};
    std::vector<double> step(size_);
    std::vector<double> gradient(size_);
    const double target = tolerance * norm(slope_at_zero_);
    for (int restart = 0;; ++restart) {
      try {
        solution.objective = loss_gradient(solution.weights, gradient) +
                             alpha * dot(solution.weights, solution.weights);
      } catch (const Interrupted&) {
        if (restart == 0) throw;
        report.termination = Termination::interrupted;
        return solution;
      }
      for (std::size_t f = 0; f < size_; ++f) gradient[f] += 2 * alpha * solution.weights[f];
      const double length = norm(gradient);
      report.objective = solution.objective;
      // J is 2 alpha-strongly convex.
      report.gap =
          alpha > 0 ? length * length / (4 * alpha) : std::numeric_limits<double>::infinity();
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
      for (double& value : gradient) value = -value;
      const double drop = std::max(0.5 * target / length, kDropBeforeRestart);
      bool stopped = false;
      const int products = conjugate_gradient(
          [&](std::span<const double> in, std::span<double> out) {
            ++report.products;
            ++report.iterations;
            stopped = stopped || (stop && stop(report));
            if (stopped) {  // no curvature ends it
              std::fill(out.begin(), out.end(), 0.0);
              return;
            }
            try {
              sweep_.hessian_times(point_, columns_.times(in), out);
            } catch (const Interrupted&) {
              stopped = true;
              std::fill(out.begin(), out.end(), 0.0);
              return;
            }
            columns_.apply(out);
            for (std::size_t f = 0; f < size_; ++f) out[f] += 2 * alpha * in[f];
          },
          {}, gradient, drop, max_iterations - report.iterations, step);
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
  double loss_gradient(std::span<const double> weights, std::span<double> out) {
    const double loss = sweep_.gradient(columns_.times(weights), point_, out);
    columns_.apply(out);
    return loss;
  }

  const QuerySweep& sweep_;
  const ColumnScale& columns_;
  std::size_t size_;
  QuerySweep::Point point_;
  std::vector<double> slope_at_zero_;
};

}  // namespace

RidgeCgResult solve_ridge_cg(const QuerySweep& sweep, const ColumnScale& columns,
                             std::span<const double> alphas, double tolerance, int max_iterations,
                             const StopRequest& stop) {
  RidgeCg solver(sweep, columns);
  RidgeCgResult result;
  std::vector<double> start(static_cast<std::size_t>(sweep.num_features()));
  for (const double alpha : alphas) {
    result.reports.emplace_back();
    // From elsewhere than 0 the smallest minimum would be missed.
    if (alpha == 0) std::fill(start.begin(), start.end(), 0.0);
    result.solutions.push_back(
        solver.solve(alpha, start, tolerance, max_iterations, stop, result.reports.back()));
    start = result.solutions.back().weights;
  }
  return result;
}

}  // namespace rankine
