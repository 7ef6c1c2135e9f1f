// What a solver knows of a problem: an objective by capability, looked at from points. A point is
// bound to the weights it was made at, so derivatives cannot be asked for in the wrong order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rankine {

/// Value and derivative of the objective along a segment.
struct LineValue {
  double value = 0;
  double slope = 0;
};

/// A differentiable, strongly convex function: objective(w) >= objective(v) + ... + 1/2 |w - v|^2.
/// Then objective(w) - minimum <= 1/2 |gradient(w)|^2: the certificate every report carries.
class SmoothObjective {
 public:
  class Point {
   public:
    virtual ~Point() = default;
    double value = 0;
    std::vector<double> weights;
    std::vector<double> gradient;
  };

  virtual ~SmoothObjective() = default;
  virtual std::int64_t size() const = 0;
  virtual std::unique_ptr<Point> at(std::span<const double> weights) const = 0;

  /// out = Hessian at `point` times `direction`. Costs about as much as at().
  virtual void hessian_times(const Point& point, std::span<const double> direction,
                             std::span<double> out) const = 0;

  /// Along weights a + t (b - a), both made by this objective. Much cheaper than at().
  virtual LineValue between(const Point& a, const Point& b, double t) const = 0;

  /// What the whole Hessian costs in units of one hessian_times; infinite where there is none.
  virtual double hessian_cost() const = 0;
  /// Row-major. Requires: hessian_cost() is finite.
  virtual void hessian(const Point& point, std::span<double> out) const = 0;
};

}  // namespace rankine
