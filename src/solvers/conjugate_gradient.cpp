// Conjugate gradients need one product with A per iteration and three vectors. Each direction is
// A-orthogonal to all before it, so the step along it is exact once and for all; the number of
// iterations grows with the square root of the condition number, which the preconditioner lowers.
// Progress is measured in the norm of the preconditioner, relative to the start. A direction
// without positive curvature ends the iteration with the solution so far.
// Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
#include "solvers/conjugate_gradient.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "linalg/inner_product.hpp"

namespace rankine {

ConjugateGradient::ConjugateGradient(std::span<const double> b, double tolerance,
                                     Preconditioner precondition)
    : precondition_(std::move(precondition)),
      x_(b.size()),
      residual_(b.begin(), b.end()),
      solved_(residual_) {
  if (precondition_) precondition_(solved_);
  direction_ = solved_;
  energy_ = dot(residual_, solved_);
  target_ = tolerance * tolerance * energy_;
}

void ConjugateGradient::advance(std::span<const double> image) {
  ++products_;
  const double curvature = dot(direction_, image);
  if (!(curvature > 0)) {
    energy_ = 0;
    return;
  }
  const double step = energy_ / curvature;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] += step * direction_[k];
    residual_[k] -= step * image[k];
  }
  solved_ = residual_;
  if (precondition_) precondition_(solved_);
  const double next = dot(residual_, solved_);
  const double ratio = next / energy_;
  for (std::size_t k = 0; k < x_.size(); ++k) direction_[k] = solved_[k] + ratio * direction_[k];
  energy_ = next;
}

int conjugate_gradient(const Operator& product, const Preconditioner& precondition,
                       std::span<const double> b, double tolerance, int max_iterations,
                       std::span<double> x) {
  ConjugateGradient system(b, tolerance, precondition);
  std::vector<double> image(b.size());
  while (system.products() < max_iterations && !system.is_done()) {
    product(system.direction(), image);
    system.advance(image);
  }
  std::copy(system.x().begin(), system.x().end(), x.begin());
  return system.products();
}

}  // namespace rankine
