// The regularisation path: the minimum of penalty(w) + C loss(w) for every C of a grid, for a small
// multiple of the price of one.
#pragma once

#include <vector>

#include <rankine/options.hpp>

#include "objectives/objective.hpp"
#include "solvers/newton.hpp"

namespace rankine {

/// One result for each of path.values_of_c(), in their order. `stop` is asked as in
/// minimise_newton; once it returns true, the values not yet solved end with the weights they have.
std::vector<SolveResult> minimise_newton_path(const SmoothPath& path, const NewtonOptions& options,
                                              const StopRequest& stop = {});

}  // namespace rankine
