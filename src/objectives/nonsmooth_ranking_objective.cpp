// The smooth objectives below the hinge come from the loss (losses/smoothable_loss). Each has the
// same data and penalty, so one evaluator serves all by with_loss(). At weights 0 no pair is within
// a narrow width of the margin and the smoothing has no curvature there; its preconditioner is
// therefore taken from a smoothing so wide that all pairs are within it.
#include "objectives/nonsmooth_ranking_objective.hpp"

#include <cstddef>
#include <vector>

#include "losses/smoothable_loss.hpp"
#include "objectives/ranking_objective.hpp"

namespace rankine {
namespace {

class RiskPoint final : public NonsmoothObjective::Point {
 public:
  RiskPoint(std::unique_ptr<LossEvaluator::Point> at, std::vector<double> at_weights, double C,
            const ColumnScale& columns, const Penalty& penalty)
      : loss(std::move(at)) {
    weights = std::move(at_weights);
    slope = std::move(loss->gradient);
    columns.apply(slope);
    for (double& entry : slope) entry *= C;
    risk = C * loss->value;
    value = risk + penalty.value(weights);
  }

  std::unique_ptr<LossEvaluator::Point> loss;
};

const LossEvaluator::Point& loss_point(const NonsmoothObjective::Point& point) {
  return *dynamic_cast<const RiskPoint&>(point).loss;
}

/// Pairs within the width of the margin give a smoothing its curvature; at weights 0 there are
/// none. A smoothing so wide that it includes all pairs has about the curvature of a narrow one at
/// its minimum.
class RankingSmoothing final : public NonsmoothObjective::Smoothing {
 public:
  RankingSmoothing(const LossEvaluator& evaluator, const SmoothableLoss& loss, double width,
                   double C, const ColumnScale& columns, const Penalty& penalty)
      : smoothed_(loss.smoothed(width)),
        wide_(loss.smoothed(kWide)),
        supporting_(loss.supporting(width)),
        smoothed_evaluator_(evaluator.with_loss(*smoothed_)),
        wide_evaluator_(evaluator.with_loss(*wide_)),
        supporting_evaluator_(evaluator.with_loss(*supporting_)),
        objective_(*smoothed_evaluator_, *wide_evaluator_, C, columns, penalty),
        planes_(*supporting_evaluator_, C, columns, penalty) {}

  const SmoothObjective& objective() const override { return objective_; }
  std::unique_ptr<NonsmoothObjective::Point> plane(std::span<const double> weights) const override {
    return planes_.at_alone(weights);
  }

 private:
  static constexpr double kWide = 2;

  std::unique_ptr<QueryLoss> smoothed_;
  std::unique_ptr<QueryLoss> wide_;
  std::unique_ptr<QueryLoss> supporting_;
  std::unique_ptr<LossEvaluator> smoothed_evaluator_;
  std::unique_ptr<LossEvaluator> wide_evaluator_;
  std::unique_ptr<LossEvaluator> supporting_evaluator_;
  RankingObjective objective_;
  NonsmoothRankingObjective planes_;
};

}  // namespace

std::unique_ptr<NonsmoothObjective::Point> NonsmoothRankingObjective::at(
    std::span<const double> weights, LossEvaluator::Keep keep) const {
  return std::make_unique<RiskPoint>(loss_.at(columns_.times(weights), keep),
                                     std::vector<double>(weights.begin(), weights.end()), C_,
                                     columns_, penalty_);
}

void NonsmoothRankingObjective::forget(Point& point) const {
  loss_.forget(loss_point(point));
}

std::unique_ptr<NonsmoothObjective::Point> NonsmoothRankingObjective::at(const Point& a,
                                                                         const Point& b,
                                                                         double t) const {
  std::vector<double> weights(a.weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = a.weights[k] + t * (b.weights[k] - a.weights[k]);
  }
  return std::make_unique<RiskPoint>(loss_.on_segment(loss_point(a), loss_point(b), t),
                                     std::move(weights), C_, columns_, penalty_);
}

LineValue NonsmoothRankingObjective::between(const Point& a, const Point& b, double t) const {
  const LineValue loss = loss_.between(loss_point(a), loss_point(b), t);
  LineValue line{C_ * loss.value, C_ * loss.slope};
  penalty_.add_line(a.weights, b.weights, t, line);
  return line;
}

std::unique_ptr<NonsmoothObjective::Smoothing> NonsmoothRankingObjective::smoothing(
    double width) const {
  const auto* smoothable = dynamic_cast<const SmoothableLoss*>(&loss_.loss());
  if (smoothable == nullptr) return nullptr;
  return std::make_unique<RankingSmoothing>(loss_, *smoothable, width, C_, columns_, penalty_);
}

}  // namespace rankine
