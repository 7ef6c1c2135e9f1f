// The elastic net column by column. Its proximal step shrinks towards 0 (soft thresholding) and
// divides; its conjugate is that of a quadratic beyond a dead zone. Fenchel's inequality makes a
// lower bound of the objective from any gradient of the loss.
// Parikh and Boyd, "Proximal Algorithms", 2014; Zou and Hastie, "Regularization and variable
// selection via the elastic net", 2005.
#include "objectives/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/inner_product.hpp"

namespace rankine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Towards 0 by `step`, and no further.
double shrunk(double value, double step) {
  return std::copysign(std::max(0.0, std::abs(value) - step), value);
}

}  // namespace

double Penalty::value(std::span<const double> weights) const {
  if (is_smooth() && factors_.empty()) return value_of_squared_norm(dot(weights, weights));
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum += factor(k) * (l1_ * std::abs(weights[k]) + 0.5 * l2_ * weights[k] * weights[k]);
  }
  return sum;
}

void Penalty::add_gradient(std::span<const double> weights, std::span<double> out) const {
  RANKINE_ASSERT(is_smooth());
  for (std::size_t k = 0; k < weights.size(); ++k) out[k] += curvature(k) * weights[k];
}

void Penalty::add_hessian_times(std::span<const double> direction, std::span<double> out) const {
  add_gradient(direction, out);  // a quadratic
}

void Penalty::add_line(std::span<const double> a, std::span<const double> b, double t,
                       LineValue& line) const {
  RANKINE_ASSERT(is_smooth());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double step = b[k] - a[k];
    const double weight = a[k] + t * step;
    line.value += 0.5 * curvature(k) * weight * weight;
    line.slope += curvature(k) * weight * step;
  }
}

double Penalty::conjugate(std::span<const double> slope) const {
  if (is_smooth() && factors_.empty()) return gap_of_squared_norm(dot(slope, slope));
  double sum = 0;
  for (std::size_t k = 0; k < slope.size(); ++k) {
    const double beyond = std::abs(shrunk(slope[k], factor(k) * l1_));
    if (beyond == 0) continue;
    if (!(curvature(k) > 0)) return kInfinity;
    sum += beyond * beyond / (2 * curvature(k));
  }
  return sum;
}

std::vector<double> Penalty::minimiser(std::span<const double> slope) const {
  std::vector<double> weights(slope.size());
  for (std::size_t k = 0; k < slope.size(); ++k) {
    RANKINE_ASSERT(curvature(k) > 0);
    weights[k] = 0 - shrunk(slope[k], factor(k) * l1_) / curvature(k);
  }
  return weights;
}

double Penalty::gap(std::span<const double> gradient) const {
  RANKINE_ASSERT(is_smooth());
  return conjugate(gradient);  // of a quadratic: 1/2 |gradient|^2 over the curvature
}

double Penalty::dual_product(std::span<const double> a, std::span<const double> b) const {
  RANKINE_ASSERT(is_smooth() && l2_ > 0);
  if (factors_.empty()) return dot(a, b) / l2_;
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k] / curvature(k);
  return sum;
}

void Penalty::proximal_step(double step, std::span<double> vector) const {
  for (std::size_t k = 0; k < vector.size(); ++k) {
    vector[k] = shrunk(vector[k], step * factor(k) * l1_) / (1 + step * curvature(k));
  }
}

}  // namespace rankine
