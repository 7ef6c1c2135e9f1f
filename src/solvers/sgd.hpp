// Averaged stochastic gradient descent for l2 / 2 |w|^2 + a sum of N losses. Step t = 1, 2, ...
// moves against the slope of one loss and 1/N of the penalty's,
//   w <- w - e_t (l2 w / N + slope),   e_t = e_0 / (1 + e_0 l2 t / N),
// with e_0 = 1 / (largest curvature of one loss). The result is the average of the iterates, the
// t-th with weight t. Cost: one term per step.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/options.hpp>

#include "objectives/stochastic_objective.hpp"
#include "solvers/newton.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// Takes epochs * N steps from `start` (size() weights). Reports epochs as iterations; its
/// certified gap is often far above the true one. Requires: a smooth penalty without factors.
SolveResult minimise_sgd(const StochasticObjective& objective, std::span<const double> start,
                         const SgdOptions& options, std::uint64_t seed = 1,
                         const StopRequest& stop = {});

}  // namespace rankine
