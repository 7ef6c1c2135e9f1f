// Least squares with a penalty by conjugate gradients: for data where neither d x d nor n x n
// matrices can be formed. Cost: one pass over the data per iteration.
#pragma once

#include <span>
#include <vector>

#include "objectives/ranking_objective.hpp"
#include "solvers/ridge/ridge_path.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

struct RidgeCgResult {
  std::vector<RidgeSolution> solutions;
  std::vector<SolveReport> reports;  // of each
};

/// Minimises loss(D w) + alpha |w|^2 for each of `alphas`, each from the one before; the loss is a
/// quadratic. Stops where |gradient| <= tolerance * |gradient at 0|. For alpha = 0 from 0 it
/// finds the smallest of all minima.
RidgeCgResult solve_ridge_cg(const LossEvaluator& loss, const ColumnScale& columns,
                             std::span<const double> alphas, double tolerance, int max_iterations,
                             const StopRequest& stop = {});

}  // namespace rankine
