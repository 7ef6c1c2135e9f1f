// Averaged stochastic gradient descent with the step length of a strongly convex objective, about N
// / (l2 t) for late t (Pegasos), which needs no tuning. With these steps w = v / (1 + e_0 l2 t /
// N), where v <- v - e_0 slope: the penalty costs nothing, and a sparse slope takes a sparse step.
// The weighted sum of the iterates is kept as p v + u, p a number: when v changes by dv, u changes
// by -p dv. Weighting the t-th iterate by t forgets the bad start, and improves the rate from
// log(t) / t to 1 / t. Shalev-Shwartz, Singer and Srebro, "Pegasos", 2007; Lacoste-Julien, Schmidt
// and Bach, "A simpler approach to obtaining an O(1/t) convergence rate", 2012; sparse averages:
// Xu, "Towards optimal one pass large scale learning with averaged stochastic gradient descent",
// 2011.
#include "solvers/sgd.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/contract.hpp"
#include "base/interruption.hpp"

namespace rankine {

SolveResult minimise_sgd(const StochasticObjective& objective, std::span<const double> start,
                         const SgdOptions& options, std::uint64_t seed, const StopRequest& stop) {
  const Penalty& penalty = objective.penalty();
  RANKINE_ASSERT(penalty.is_smooth() && !penalty.has_factors());
  const double num_terms = objective.num_terms();
  std::vector<double> v(start.begin(), start.end());
  std::vector<double> u(v.size());
  SolveReport report;
  report.termination = Termination::completed;
  double p = 0;
  double total = 0;
  const auto average = [&] {
    std::vector<double> weights(v);
    if (total == 0) return weights;
    for (std::size_t k = 0; k < v.size(); ++k) weights[k] = (p * v[k] + u[k]) / total;
    return weights;
  };
  const double curvature =
      options.learning_rate > 0 || num_terms == 0 ? 0.0 : objective.largest_curvature();
  if (num_terms > 0 && (options.learning_rate > 0 || curvature > 0)) {
    const double rate = options.learning_rate > 0 ? options.learning_rate : 1 / curvature;
    const Random random(seed);
    const auto num_steps = static_cast<std::uint64_t>(std::ceil(options.epochs * num_terms));
    constexpr std::uint64_t kAskEvery = 256;
    double scale = 1;
    for (std::uint64_t step = 1; step <= num_steps; ++step) {
      report.iterations = static_cast<int>(static_cast<double>(step - 1) / num_terms);
      if (stop && step % kAskEvery == 1 && stop(report)) {
        report.termination = Termination::interrupted;
        break;
      }
      const std::array targets{StochasticObjective::Target{p * rate, u},
                               StochasticObjective::Target{-rate, v}};
      objective.add_slope(random, step, v, scale, targets);
      const auto t = static_cast<double>(step);
      scale = 1 / (1 + rate * penalty.l2() * t / num_terms);
      p += t * scale;
      total += t;
    }
    if (report.termination != Termination::interrupted) {
      report.iterations = static_cast<int>(std::ceil(options.epochs));
    }
  } else {
    std::fill(v.begin(), v.end(), 0.0);  // no loss depends on w: only the penalty is left
    report.termination = Termination::converged;
  }
  std::vector<double> weights = average();
  try {
    const auto assessment = objective.assess(weights);
    report.objective = assessment.value;
    report.gap = assessment.gap;
  } catch (const Interrupted&) {
    report.termination = Termination::interrupted;
    report.objective = report.gap = std::numeric_limits<double>::infinity();
  }
  return {std::move(weights), std::move(report)};
}

}  // namespace rankine
