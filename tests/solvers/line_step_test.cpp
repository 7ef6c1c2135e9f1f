#include "solvers/line_step.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// sqrt(1 + w^2) in one variable: a whole Newton step from far away overshoots and goes up.
class Hyperbola final : public SmoothObjective {
 public:
  static double value(double w) { return std::sqrt(1 + w * w); }
  static double slope(double w) { return w / std::sqrt(1 + w * w); }

  std::int64_t size() const override { return 1; }
  const Penalty& penalty() const override { return penalty_; }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    auto point = std::make_unique<Point>();
    point->weights.assign(weights.begin(), weights.end());
    point->value = value(weights[0]);
    point->gradient = {slope(weights[0])};
    return point;
  }
  void hessian_times(const Point&, std::span<const double>, std::span<double>) const override {}
  LineValue between(const Point& a, const Point& b, double t) const override {
    const double step = b.weights[0] - a.weights[0];
    const double w = a.weights[0] + t * step;
    return {value(w), slope(w) * step};
  }
  double hessian_cost(double) const override { return 0; }
  void hessian(const Point&, double, std::span<double>) const override {}

 private:
  Penalty penalty_ = Penalty::none();
};

double step_from(double start, double direction, double& reached) {
  const Hyperbola objective;
  auto point = objective.at(std::vector<double>{start});
  auto whole = objective.at(std::vector<double>{start + direction});
  const double decrement = -point->gradient[0] * direction;
  const double t =
      take_step(objective, point, std::move(whole), std::vector<double>{direction}, decrement);
  reached = point->weights[0];
  return t;
}

TEST(TakeStep, takes_the_whole_step_where_it_decreases_enough) {
  double reached = 0;
  EXPECT_EQ(step_from(2, -1.5, reached), 1);
  EXPECT_EQ(reached, 0.5);
}

TEST(TakeStep, finds_the_minimum_along_a_step_that_goes_up) {
  double reached = 0;
  const double t = step_from(2, -10, reached);
  EXPECT_NEAR(t, 0.2, 0.01);
  EXPECT_NEAR(reached, 0, 0.05);
}

TEST(TakeStep, stays_where_the_direction_only_goes_up) {
  double reached = 0;
  EXPECT_EQ(step_from(2, 3, reached), 0);
  EXPECT_EQ(reached, 2);
}

}  // namespace
}  // namespace rankine
