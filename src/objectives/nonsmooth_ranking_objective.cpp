#include "objectives/nonsmooth_ranking_objective.hpp"

#include <cstddef>
#include <numeric>

#include "losses/smoothable_loss.hpp"
#include "objectives/ranking_objective.hpp"

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

/// Pairs at the margin, some share of them for each unit of width, are what curves a smoothing;
/// at weights 0 there are none. One so wide that all pairs are within it has about that curvature.
class RankingSmoothing final : public NonsmoothObjective::Smoothing {
 public:
  RankingSmoothing(const QuerySweep& sweep, const SmoothableLoss& loss, double width, double C,
                   const ColumnScale& columns)
      : smoothed_(loss.smoothed(width)),
        wide_(loss.smoothed(kWide)),
        supporting_(loss.supporting(width)),
        smoothed_sweep_(sweep, *smoothed_),
        wide_sweep_(sweep, *wide_),
        supporting_sweep_(sweep, *supporting_),
        objective_(smoothed_sweep_, wide_sweep_, C, columns),
        planes_(supporting_sweep_, C, columns) {}

  const SmoothObjective& objective() const override { return objective_; }
  std::unique_ptr<NonsmoothObjective::Point> plane(std::span<const double> weights) const override {
    return planes_.at_alone(weights);
  }

 private:
  static constexpr double kWide = 2;

  std::unique_ptr<QueryLoss> smoothed_;
  std::unique_ptr<QueryLoss> wide_;
  std::unique_ptr<QueryLoss> supporting_;
  QuerySweep smoothed_sweep_;
  QuerySweep wide_sweep_;
  QuerySweep supporting_sweep_;
  RankingObjective objective_;
  NonsmoothRankingObjective planes_;
};

}  // namespace

std::unique_ptr<NonsmoothObjective::Point> NonsmoothRankingObjective::at(
    std::span<const double> weights, QuerySweep::Keep keep) const {
  auto point = std::make_unique<RiskPoint>();
  point->weights.assign(weights.begin(), weights.end());
  point->slope.resize(weights.size());
  point->finish(C_, sweep_.gradient(columns_.times(weights), point->sweep, point->slope, keep),
                columns_);
  return point;
}

void NonsmoothRankingObjective::forget(Point& point) const {
  QuerySweep::forget(sweep_point(point));
}

std::unique_ptr<NonsmoothObjective::Point> NonsmoothRankingObjective::at(const Point& a,
                                                                         const Point& b,
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

LineValue NonsmoothRankingObjective::between(const Point& a, const Point& b, double t) const {
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

std::unique_ptr<NonsmoothObjective::Smoothing> NonsmoothRankingObjective::smoothing(
    double width) const {
  const auto* loss = dynamic_cast<const SmoothableLoss*>(&sweep_.loss());
  if (loss == nullptr) return nullptr;
  return std::make_unique<RankingSmoothing>(sweep_, *loss, width, C_, columns_);
}

}  // namespace rankine
