// objective(w) = 1/2 |w|^2 + C * sum over queries of factor * loss(X_q D w), D a scale of columns.
#pragma once

#include <utility>
#include <vector>

#include "compute/cpu/query_sweep.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/objective.hpp"

namespace rankine {

class RankingObjective final : public SmoothObjective {
 public:
  /// Keeps a reference to `sweep`.
  RankingObjective(const QuerySweep& sweep, double C, ColumnScale columns = {})
      : RankingObjective(sweep, sweep, C, std::move(columns)) {}
  /// With the preconditioner of another loss over the same data, for losses without curvature at
  /// weights 0. Keeps references.
  RankingObjective(const QuerySweep& sweep, const QuerySweep& preconditioning, double C,
                   ColumnScale columns)
      : sweep_(sweep), preconditioning_(preconditioning), C_(C), columns_(std::move(columns)) {}

  std::int64_t size() const override { return sweep_.num_features(); }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    return at(weights, QuerySweep::Keep::scores);
  }
  std::unique_ptr<Point> at_for_hessian(std::span<const double> weights) const override {
    return at(weights, QuerySweep::Keep::nothing);
  }
  void forget(Point& point) const override;
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  double enough_share() const override;
  double hessian_cost(double share) const override;
  void hessian(const Point& point, double share, std::span<double> out) const override;
  double preconditioner_cost(double share) const override;
  std::vector<float> preconditioner(double share) const override;

 private:
  std::unique_ptr<Point> at(std::span<const double> weights, QuerySweep::Keep keep) const;

  const QuerySweep& sweep_;
  const QuerySweep& preconditioning_;
  double C_;
  ColumnScale columns_;
};

/// The same objective for several C.
class RankingPath final : public SmoothPath {
 public:
  /// Keeps a reference to `sweep`. Requires: values of C that rise.
  RankingPath(const QuerySweep& sweep, std::vector<double> values_of_c, ColumnScale columns = {});

  std::span<const double> values_of_c() const override { return values_; }
  int threads() const override { return sweep_.threads(); }
  const SmoothObjective& problem(std::size_t index) const override { return problems_[index]; }
  std::vector<float> loss_preconditioner(double share) const override;
  std::vector<std::unique_ptr<Point>> at(std::span<const std::size_t> indices,
                                         std::span<const std::vector<double>> weights,
                                         Accuracy accuracy) const override;
  void hessian_times(std::span<const std::size_t> indices, std::span<const Point* const> points,
                     std::span<const std::vector<double>> directions,
                     std::span<std::vector<double>> outs) const override;

 private:
  const QuerySweep& sweep_;
  std::vector<double> values_;
  ColumnScale columns_;
  std::vector<RankingObjective> problems_;
};

}  // namespace rankine
