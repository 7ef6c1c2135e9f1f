// Newton's method for penalty(f) + C loss(scores of f), f in the span of the documents' kernels and
// the penalty l2 / 2 |f|^2. The system (l2 + C H K) step = -(l2 beta + C slopes) is self-adjoint in
// the inner product <a, b> = a' K b, so flexible conjugate gradients run in it: one product with K
// per iteration.
#pragma once

#include <span>

#include <rankine/options.hpp>

#include "objectives/kernel_objective.hpp"
#include "solvers/newton.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// Minimises from coefficients `start` (size() of them). The report's gap is the penalty's, of the
/// gradient in the function space: objective - minimum <= gap. Its products are those with K.
SolveResult minimise_kernel_newton(const KernelObjective& objective, double C,
                                   std::span<const double> start, const NewtonOptions& options,
                                   const StopRequest& stop = {});

}  // namespace rankine
