// When Newton's method ends, in all its forms: for one problem, for those of a path and for exact
// kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <rankine/options.hpp>

#include "solvers/solve_report.hpp"

namespace rankine {

class StoppingRule {
 public:
  /// Keeps references.
  StoppingRule(const NewtonOptions& options, const StopRequest& stop)
      : options_(options), stop_(stop) {}

  /// Why a solve ends before its next iteration; nothing where it goes on. It asks the caller, so
  /// call it once per iteration. The norms are those of the gradient, here and at the start.
  std::optional<Termination> before(const SolveReport& report, double norm,
                                    double first_norm) const {
    if (norm == 0) return Termination::converged;
    if (options_.stopping == Stopping::gradient && norm <= options_.tolerance * first_norm) {
      return Termination::converged;
    }
    if (report.iterations >= options_.max_iterations) return Termination::iteration_limit;
    if (stop_ && stop_(report)) return Termination::interrupted;
    return std::nullopt;
  }

  /// Whether a step of this decrement, `factor` times, from this value of the objective is the
  /// last.
  bool is_last(double decrement, double value, double factor = 1) const {
    return options_.stopping == Stopping::decrement &&
           factor * decrement <= options_.tolerance * std::abs(value);
  }

  /// The share of the gradient's norm that the solution of a Newton system may leave: it follows
  /// the fall of the gradient, so that early systems are solved roughly and the last ones well
  /// (Eisenstat and Walker's idea).
  static double inner_tolerance(double norm, double first_norm) {
    return std::min(0.1, std::sqrt(norm / first_norm));
  }

 private:
  const NewtonOptions& options_;
  const StopRequest& stop_;
};

}  // namespace rankine
