#include "objectives/ranking_objective.hpp"

#include <cstddef>
#include <limits>
#include <numeric>

#include "base/contract.hpp"

namespace rankine {
namespace {

class RankingPoint final : public SmoothObjective::Point {
 public:
  QuerySweep::Point sweep;
};

const QuerySweep::Point& sweep_point(const SmoothObjective::Point& point) {
  return dynamic_cast<const RankingPoint&>(point).sweep;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

std::unique_ptr<SmoothObjective::Point> RankingObjective::at(
    std::span<const double> weights) const {
  auto point = std::make_unique<RankingPoint>();
  point->weights.assign(weights.begin(), weights.end());
  point->gradient.resize(weights.size());
  const double loss = sweep_.gradient(weights, point->sweep, point->gradient);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    point->gradient[k] = weights[k] + C_ * point->gradient[k];
  }
  point->value = 0.5 * dot(weights, weights) + C_ * loss;
  return point;
}

void RankingObjective::hessian_times(const Point& point, std::span<const double> direction,
                                     std::span<double> out) const {
  sweep_.hessian_times(sweep_point(point), direction, out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = direction[k] + C_ * out[k];
}

LineValue RankingObjective::between(const Point& a, const Point& b, double t) const {
  const auto loss = sweep_.between(sweep_point(a), sweep_point(b), t);
  LineValue line{C_ * loss.value, C_ * loss.slope};
  for (std::size_t k = 0; k < a.weights.size(); ++k) {
    const double step = b.weights[k] - a.weights[k];
    const double weight = a.weights[k] + t * step;
    line.value += 0.5 * weight * weight;
    line.slope += weight * step;
  }
  return line;
}

double RankingObjective::hessian_cost() const {
  if (!sweep_.has_fast_hessian()) return std::numeric_limits<double>::infinity();
  // The matrix product does size/2 times the arithmetic of a product with one vector, at six times
  // its rate (measured: docs/performance.md); sorting rows into blocks costs about two products.
  return 2 + static_cast<double>(size()) / 12;
}

void RankingObjective::hessian(const Point& point, std::span<double> out) const {
  sweep_.hessian(sweep_point(point), out);
  const auto width = static_cast<std::size_t>(size());
  for (double& entry : out) entry *= C_;
  for (std::size_t k = 0; k < width; ++k) out[k * width + k] += 1;
}

}  // namespace rankine
