// Preconditioned conjugate gradients for a symmetric positive definite operator A given by
// products.
#pragma once

#include <functional>
#include <span>

namespace rankine {

/// out = A * in.
using Operator = std::function<void(std::span<const double> in, std::span<double> out)>;
/// vector <- P^-1 vector; an empty function is the identity.
using Preconditioner = std::function<void(std::span<double> vector)>;

/// Solves A x = b from x = 0. Stops when the residual r has r' P^-1 r <= tolerance^2 * b' P^-1 b,
/// after max_iterations, or when A shows a direction of no curvature. Returns the number of
/// products.
int conjugate_gradient(const Operator& product, const Preconditioner& precondition,
                       std::span<const double> b, double tolerance, int max_iterations,
                       std::span<double> x);

}  // namespace rankine
