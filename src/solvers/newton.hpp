// Truncated Newton for smooth strongly convex objectives, with a decrease at every step. The Newton
// system is solved directly where forming the Hessian is cheap, otherwise by conjugate gradients
// preconditioned with the first point's Hessian, or plainly where that costs too much.
#pragma once

#include <span>
#include <vector>

#include <rankine/options.hpp>

#include "objectives/objective.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

struct SolveResult {
  std::vector<double> weights;
  SolveReport report;
};

/// Minimises from `start` (size() weights).
SolveResult minimise_newton(const SmoothObjective& objective, std::span<const double> start,
                            const NewtonOptions& options, const StopRequest& stop = {});

}  // namespace rankine
