// The 1-slack cutting plane method for penalty(w) + risk(w), with a certified gap. The risk lies
// above every plane  slope . w + offset  taken at any point, so the minimum of penalty(w) + the
// highest plane is a lower bound of the objective; it stops when
//   objective - lower bound <= tolerance * objective.
// Where the objective has smooth ones below it, Newton's method on those comes first. Cost: about
// two passes over the data and a quadratic programme over the planes per iteration.
#pragma once

#include <span>

#include <rankine/options.hpp>

#include "objectives/nonsmooth_objective.hpp"
#include "solvers/newton.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// Minimises from `start` (size() weights).
SolveResult minimise_cutting_plane(const NonsmoothObjective& objective,
                                   std::span<const double> start,
                                   const CuttingPlaneOptions& options,
                                   const StopRequest& stop = {});

}  // namespace rankine
