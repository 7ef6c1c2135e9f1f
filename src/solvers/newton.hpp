// Truncated Newton for smooth strongly convex objectives, with a decrease at every step. The Newton
// system is solved directly where forming the Hessian is cheap, otherwise by conjugate gradients
// preconditioned with the Hessian at weights 0 of all or some of the data, or plainly where that
// costs too much.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <rankine/options.hpp>

#include "linalg/symmetric_factors.hpp"
#include "objectives/objective.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

struct SolveResult {
  std::vector<double> weights;
  SolveReport report;
};

/// What one solve leaves for the next of a similar problem: the last whole Hessian formed, or the
/// preconditioner, or nothing.
struct NewtonMemory {
  std::vector<double> hessian;
  std::optional<SingleCholesky> preconditioner;
  double share = 0;  // of the data that the preconditioner was made from
};

/// Minimises from `start` (size() weights).
SolveResult minimise_newton(const SmoothObjective& objective, std::span<const double> start,
                            const NewtonOptions& options, const StopRequest& stop = {},
                            NewtonMemory* memory = nullptr);

/// How the Newton systems of an objective are best solved: see newton.cpp.
enum class NewtonStrategy { direct, preconditioned, plain };
struct NewtonPlan {
  NewtonStrategy strategy = NewtonStrategy::plain;
  double share = 0;  // of the data that the Hessian or preconditioner is made from
  double cost = 0;   // of a whole solve, in Hessian products
};
NewtonPlan cheapest_plan(const SmoothObjective& objective);

}  // namespace rankine
