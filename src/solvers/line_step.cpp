// Along a segment between two points the objective needs no pass over the data, so the search can
// be nearly exact. The whole step is tried first and taken if it decreases the objective by a share
// of what was predicted (Armijo's condition). Otherwise the zero of the slope is bracketed, and
// found by the secant (regula falsi), kept away from the ends of the bracket so that the bracket
// always shrinks. Nocedal and Wright, "Numerical Optimization", 2006, chapter 3.
#include "solvers/line_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace rankine {
namespace {

/// The minimiser in (0, 1] of the convex function from `point` to `whole`: where the slope changes
/// sign, by bisection steered by the secant.
double search(const SmoothObjective& objective, const SmoothObjective::Point& point,
              const SmoothObjective::Point& whole) {
  double low = 0;
  double high = 1;
  double low_slope = objective.between(point, whole, 0).slope;
  double high_slope = objective.between(point, whole, 1).slope;
  if (high_slope <= 0) return 1;
  if (low_slope >= 0) return 0;
  const double first_slope = low_slope;
  double t = 1;
  for (int iteration = 0; iteration < 60; ++iteration) {
    t = low - low_slope * (high - low) / (high_slope - low_slope);
    const double margin = 0.05 * (high - low);
    t = std::clamp(t, low + margin, high - margin);
    const double slope = objective.between(point, whole, t).slope;
    if (std::abs(slope) <= 0.01 * std::abs(first_slope)) break;
    (slope < 0 ? low : high) = t;
    (slope < 0 ? low_slope : high_slope) = slope;
  }
  return t;
}

}  // namespace

double take_step(const SmoothObjective& objective, std::unique_ptr<SmoothObjective::Point>& point,
                 std::unique_ptr<SmoothObjective::Point> whole, std::span<const double> direction,
                 double decrement) {
  constexpr double kSufficient = 1e-4;
  if (whole->value <= point->value - kSufficient * decrement) {
    point = std::move(whole);
    return 1;
  }
  const double t = search(objective, *point, *whole);
  if (t == 0) return 0;
  if (t < 1) {
    std::vector<double> weights(point->weights);
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += t * direction[k];
    objective.forget(*point);
    objective.forget(*whole);
    whole = objective.at(weights);
  }
  if (!(whole->value < point->value)) return 0;
  point = std::move(whole);
  return t;
}

}  // namespace rankine
