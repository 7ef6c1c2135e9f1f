#include "solvers/conjugate_gradient.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "linalg/inner_product.hpp"

namespace rankine {

int conjugate_gradient(const Operator& product, const Preconditioner& precondition,
                       std::span<const double> b, double tolerance, int max_iterations,
                       std::span<double> x) {
  const std::size_t size = b.size();
  std::fill(x.begin(), x.end(), 0.0);
  std::vector<double> residual(b.begin(), b.end());
  std::vector<double> solved(residual);
  if (precondition) precondition(solved);
  std::vector<double> direction(solved);
  std::vector<double> image(size);
  double energy = dot(residual, solved);
  const double target = tolerance * tolerance * energy;
  int products = 0;
  while (products < max_iterations && energy > target && energy > 0) {
    product(direction, image);
    ++products;
    const double curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const double step = energy / curvature;
    for (std::size_t k = 0; k < size; ++k) {
      x[k] += step * direction[k];
      residual[k] -= step * image[k];
    }
    solved = residual;
    if (precondition) precondition(solved);
    const double next = dot(residual, solved);
    const double ratio = next / energy;
    for (std::size_t k = 0; k < size; ++k) direction[k] = solved[k] + ratio * direction[k];
    energy = next;
  }
  return products;
}

}  // namespace rankine
