// 1/2 |w|^2 + C * sum over queries of factor * loss(X_q w) for losses without a second derivative.
// With a ColumnScale the columns of X are taken as scaled.
#pragma once

#include <utility>

#include "compute/cpu/query_sweep.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/nonsmooth_objective.hpp"

namespace rankine {

class NonsmoothRankingObjective final : public NonsmoothObjective {
 public:
  /// Keeps a reference to `sweep`.
  NonsmoothRankingObjective(const QuerySweep& sweep, double C, ColumnScale columns = {})
      : sweep_(sweep), C_(C), columns_(std::move(columns)) {}

  std::int64_t size() const override { return sweep_.num_features(); }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    return at(weights, QuerySweep::Keep::scores);
  }
  std::unique_ptr<Point> at_alone(std::span<const double> weights) const override {
    return at(weights, QuerySweep::Keep::nothing);
  }
  void forget(Point& point) const override;
  std::unique_ptr<Point> at(const Point& a, const Point& b, double t) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  std::unique_ptr<Smoothing> smoothing(double width) const override;

 private:
  std::unique_ptr<Point> at(std::span<const double> weights, QuerySweep::Keep keep) const;

  const QuerySweep& sweep_;
  double C_;
  ColumnScale columns_;
};

}  // namespace rankine
