// penalty(w) + C * sum over queries of factor * loss(X_q w) for losses without a second derivative.
// With a ColumnScale the columns of X are taken as scaled.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "compute/evaluator.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/nonsmooth_objective.hpp"

namespace rankine {

class NonsmoothRankingObjective final : public NonsmoothObjective {
 public:
  /// Keeps a reference to the evaluator of the loss.
  NonsmoothRankingObjective(const LossEvaluator& loss, double C, ColumnScale columns = {},
                            Penalty penalty = {})
      : loss_(loss), C_(C), columns_(std::move(columns)), penalty_(std::move(penalty)) {}

  std::int64_t size() const override { return loss_.num_weights(); }
  const Penalty& penalty() const override { return penalty_; }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    return at(weights, LossEvaluator::Keep::scores);
  }
  std::unique_ptr<Point> at_alone(std::span<const double> weights) const override {
    return at(weights, LossEvaluator::Keep::nothing);
  }
  void forget(Point& point) const override;
  std::unique_ptr<Point> at(const Point& a, const Point& b, double t) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  std::unique_ptr<Smoothing> smoothing(double width) const override;

 private:
  std::unique_ptr<Point> at(std::span<const double> weights, LossEvaluator::Keep keep) const;

  const LossEvaluator& loss_;
  double C_;
  ColumnScale columns_;
  Penalty penalty_;
};

}  // namespace rankine
