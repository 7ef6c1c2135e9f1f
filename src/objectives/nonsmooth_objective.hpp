// What a cutting plane method knows of a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "objectives/objective.hpp"

namespace rankine {

/// penalty(w) + risk(w), where the risk is convex, nowhere negative and need not have a gradient.
class NonsmoothObjective {
 public:
  class Point {
   public:
    virtual ~Point() = default;
    double value = 0;
    double risk = 0;
    std::vector<double> weights;
    std::vector<double> slope;  // a subgradient of the risk
  };

  virtual ~NonsmoothObjective() = default;
  virtual std::int64_t size() const = 0;
  /// Smooth, and l2 > 0 for all columns.
  virtual const Penalty& penalty() const = 0;
  virtual std::unique_ptr<Point> at(std::span<const double> weights) const = 0;
  /// The same in less memory, for points that are unlikely to be the end of a segment: a segment
  /// then costs another pass over the data.
  virtual std::unique_ptr<Point> at_alone(std::span<const double> weights) const {
    return at(weights);
  }

  /// Frees memory whose content another pass over the data can make again.
  virtual void forget(Point& /*point*/) const {}

  /// The point at weights a + t (b - a), at half the cost of at().
  virtual std::unique_ptr<Point> at(const Point& a, const Point& b, double t) const = 0;

  /// Value and slope of the objective there (any slope where it has several); much cheaper.
  virtual LineValue between(const Point& a, const Point& b, double t) const = 0;

  /// A smooth objective nowhere above this one.
  class Smoothing {
   public:
    virtual ~Smoothing() = default;
    virtual const SmoothObjective& objective() const = 0;
    /// A plane below the risk, with the slope of the smooth objective's risk at `weights`: slope,
    /// and height there in place of the risk. The nearer the weights are to the smooth minimum, the
    /// better the lower bound that the plane gives.
    virtual std::unique_ptr<Point> plane(std::span<const double> weights) const = 0;
  };
  /// One that comes near this one as width goes to 0; null where there is none.
  virtual std::unique_ptr<Smoothing> smoothing(double /*width*/) const { return nullptr; }
};

}  // namespace rankine
