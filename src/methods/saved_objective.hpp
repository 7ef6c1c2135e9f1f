// The objective of a model as it is saved. Kernel values are in single precision, and where the
// coefficients of landmarks are large, scores that should cancel do not: the model then costs more
// than what the solver found, and its report says so.
#pragma once

#include <functional>
#include <memory>

#include <rankine/loss.hpp>

#include "methods/method.hpp"
#include "problem/problem.hpp"

namespace rankine {

/// penalty_weight * |f|^2 + loss_weight * loss.
struct ObjectiveParts {
  std::shared_ptr<const QueryLoss> loss;
  double loss_weight = 1;
  double penalty_weight = 0.5;
};

/// Sets objective_of_scores of the solution if rounding may have moved its scores by more than is
/// negligible; `squared_norm` gives |f|^2 and is called only then. Keeps references to the
/// problem.
void check_as_saved(const Problem& problem, const ObjectiveParts& parts,
                    const std::function<double()>& squared_norm, Solution& solution);

}  // namespace rankine
