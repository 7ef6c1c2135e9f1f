// Newton's method for 1/2 |f|^2 + C loss(scores of f), f in the span of the documents' kernels. The
// system (I + C H K) step = -(beta + C slopes) is self-adjoint in the inner product <a, b> = a' K
// b, so flexible conjugate gradients run in it: one product with K an iteration.
#pragma once

#include <span>

#include <rankine/options.hpp>

#include "objectives/kernel_objective.hpp"
#include "solvers/newton.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// Minimises from coefficients `start` (size() of them). The report's gap is 1/2 |gradient|^2 in
/// the function space: objective - minimum <= gap. Its products are those with K.
SolveResult minimise_kernel_newton(const KernelObjective& objective, double C,
                                   std::span<const double> start, const NewtonOptions& options,
                                   const StopRequest& stop = {});

}  // namespace rankine
