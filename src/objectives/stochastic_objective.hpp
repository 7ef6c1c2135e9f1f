// What a stochastic gradient method knows of a problem: a sum of many terms, evaluated one by one.
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "objectives/penalty.hpp"

namespace rankine {

/// objective(w) = penalty(w) + sum of num_terms() convex losses of w.
class StochasticObjective {
 public:
  virtual ~StochasticObjective() = default;
  virtual std::int64_t size() const = 0;
  virtual const Penalty& penalty() const = 0;
  virtual double num_terms() const = 0;

  /// A bound, or a close estimate, of the largest curvature of any one term.
  virtual double largest_curvature() const = 0;

  /// A vector that gets `factor` times the slope.
  struct Target {
    double factor = 1;
    std::span<double> out;
  };
  /// Adds the slope, at weights scale * direction, of the loss that draw number `draw` of `random`
  /// chooses, each with the same probability. `direction` may itself be a target.
  virtual void add_slope(const Random& random, std::uint64_t draw,
                         std::span<const double> direction, double scale,
                         std::span<const Target> targets) const = 0;

  /// The objective, and how far from its minimum it is at most.
  struct Assessment {
    double value = 0;
    double gap = 0;
  };
  virtual Assessment assess(std::span<const double> weights) const = 0;
};

}  // namespace rankine
