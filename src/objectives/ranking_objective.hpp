// objective(w) = penalty(w) + C * sum over queries of factor * loss(X_q D w), D a scale of columns.
#pragma once

#include <utility>
#include <vector>

#include "compute/evaluator.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/objective.hpp"

namespace rankine {

class RankingObjective final : public SmoothObjective {
 public:
  /// Keeps a reference to the evaluator of the loss. Requires: a smooth penalty.
  RankingObjective(const LossEvaluator& loss, double C, ColumnScale columns = {},
                   Penalty penalty = {})
      : RankingObjective(loss, loss, C, std::move(columns), std::move(penalty)) {}
  /// With the preconditioner of another loss over the same data, for losses without curvature at
  /// weights 0. Keeps references.
  RankingObjective(const LossEvaluator& loss, const LossEvaluator& preconditioning, double C,
                   ColumnScale columns, Penalty penalty)
      : loss_(loss),
        preconditioning_(preconditioning),
        C_(C),
        columns_(std::move(columns)),
        penalty_(std::move(penalty)) {}

  std::int64_t size() const override { return loss_.num_weights(); }
  const Penalty& penalty() const override { return penalty_; }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    return at(weights, LossEvaluator::Keep::scores);
  }
  std::unique_ptr<Point> at_for_hessian(std::span<const double> weights) const override {
    return at(weights, LossEvaluator::Keep::nothing);
  }
  void forget(Point& point) const override;
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  double enough_share() const override { return loss_.enough_share(); }
  double hessian_cost(double share) const override { return loss_.hessian_cost(share); }
  void hessian(const Point& point, double share, std::span<double> out) const override;
  double preconditioner_cost(double share) const override {
    return preconditioning_.gram_cost(share);
  }
  std::vector<float> preconditioner(double share) const override;

 private:
  std::unique_ptr<Point> at(std::span<const double> weights, LossEvaluator::Keep keep) const;

  const LossEvaluator& loss_;
  const LossEvaluator& preconditioning_;
  double C_;
  ColumnScale columns_;
  Penalty penalty_;
};

/// The same objective for several C.
class RankingPath final : public SmoothPath {
 public:
  /// Keeps a reference to the evaluator. Requires: values of C that rise, a smooth penalty.
  RankingPath(const LossEvaluator& loss, std::vector<double> values_of_c, ColumnScale columns = {},
              const Penalty& penalty = {});

  std::span<const double> values_of_c() const override { return values_; }
  int threads() const override { return loss_.threads(); }
  const SmoothObjective& problem(std::size_t index) const override { return problems_[index]; }
  std::vector<float> loss_preconditioner(double share) const override;
  std::vector<std::unique_ptr<Point>> at(std::span<const std::size_t> indices,
                                         std::span<const std::vector<double>> weights,
                                         Accuracy accuracy) const override;
  void hessian_times(std::span<const std::size_t> indices, std::span<const Point* const> points,
                     std::span<const std::vector<double>> directions,
                     std::span<std::vector<double>> outs) const override;

 private:
  const LossEvaluator& loss_;
  std::vector<double> values_;
  ColumnScale columns_;
  std::vector<RankingObjective> problems_;
};

}  // namespace rankine
