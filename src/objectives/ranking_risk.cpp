#include "objectives/ranking_risk.hpp"

#include <cstddef>
#include <numeric>

namespace rankine {
namespace {

class RiskPoint final : public NonsmoothObjective::Point {
 public:
  QuerySweep::Point sweep;

  void finish(double C, double loss, const ColumnScale& columns) {
    risk = C * loss;
    columns.apply(slope);
    for (double& entry : slope) entry *= C;
    value = risk + 0.5 * std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  }
};

const QuerySweep::Point& sweep_point(const NonsmoothObjective::Point& point) {
  return dynamic_cast<const RiskPoint&>(point).sweep;
}

}  // namespace

std::unique_ptr<NonsmoothObjective::Point> RankingRisk::at(std::span<const double> weights) const {
  auto point = std::make_unique<RiskPoint>();
  point->weights.assign(weights.begin(), weights.end());
  point->slope.resize(weights.size());
  point->finish(C_, sweep_.gradient(columns_.times(weights), point->sweep, point->slope), columns_);
  return point;
}

std::unique_ptr<NonsmoothObjective::Point> RankingRisk::at(const Point& a, const Point& b,
                                                           double t) const {
  auto point = std::make_unique<RiskPoint>();
  point->weights.resize(a.weights.size());
  for (std::size_t k = 0; k < a.weights.size(); ++k) {
    point->weights[k] = a.weights[k] + t * (b.weights[k] - a.weights[k]);
  }
  point->slope.resize(a.weights.size());
  sweep_.move(sweep_point(a), sweep_point(b), t, point->sweep);
  point->finish(C_, sweep_.gradient(point->sweep, point->slope), columns_);
  return point;
}

LineValue RankingRisk::between(const Point& a, const Point& b, double t) const {
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

}  // namespace rankine
