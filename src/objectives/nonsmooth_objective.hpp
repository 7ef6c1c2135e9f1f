// What a cutting plane method knows of a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "objectives/objective.hpp"

namespace rankine {

/// 1/2 |w|^2 + risk(w), where the risk is convex, nowhere negative and need not have a gradient.
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
  virtual std::unique_ptr<Point> at(std::span<const double> weights) const = 0;

  /// The point at weights a + t (b - a), at half the cost of at().
  virtual std::unique_ptr<Point> at(const Point& a, const Point& b, double t) const = 0;

  /// Value and slope of the objective there (any slope where it has several); much cheaper.
  virtual LineValue between(const Point& a, const Point& b, double t) const = 0;
};

}  // namespace rankine
