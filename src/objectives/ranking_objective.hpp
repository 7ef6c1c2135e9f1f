// objective(w) = 1/2 |w|^2 + C * sum over queries of factor * loss(X_q w).
#pragma once

#include "compute/query_sweep.hpp"
#include "objectives/objective.hpp"

namespace rankine {

class RankingObjective final : public SmoothObjective {
 public:
  /// Keeps a reference to `sweep`.
  RankingObjective(const QuerySweep& sweep, double C) : sweep_(sweep), C_(C) {}

  std::int64_t size() const override { return sweep_.num_features(); }
  std::unique_ptr<Point> at(std::span<const double> weights) const override;
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  double hessian_cost() const override;
  void hessian(const Point& point, std::span<double> out) const override;

 private:
  const QuerySweep& sweep_;
  double C_;
};

}  // namespace rankine
