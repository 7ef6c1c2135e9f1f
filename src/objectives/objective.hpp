// What a solver knows of a problem: an objective by capability, evaluated at points. A point is
// bound to the weights it was made at, so derivatives cannot be asked for in the wrong order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "compute/accuracy.hpp"
#include "compute/evaluator.hpp"
#include "objectives/penalty.hpp"

namespace rankine {

/// A differentiable convex function: a loss and a smooth penalty. objective(w) - minimum is at most
/// penalty().gap(gradient(w)): the certificate every report carries.
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
  virtual const Penalty& penalty() const = 0;
  virtual std::unique_ptr<Point> at(std::span<const double> weights) const = 0;
  /// The same in less memory, for points of which only hessian() is needed. Everything else still
  /// works, at the cost of another pass over the data.
  virtual std::unique_ptr<Point> at_for_hessian(std::span<const double> weights) const {
    return at(weights);
  }

  /// Frees memory whose content another pass over the data can make again: for the point that a
  /// solver is about to leave.
  virtual void forget(Point& /*point*/) const {}

  /// out = Hessian at `point` times `direction`. Costs about as much as at().
  virtual void hessian_times(const Point& point, std::span<const double> direction,
                             std::span<double> out) const = 0;

  /// Along weights a + t (b - a), both made by this objective. Much cheaper than at(), where
  /// neither was forgotten.
  virtual LineValue between(const Point& a, const Point& b, double t) const = 0;

  /// The share of the data that is enough for a Hessian that is right within some per cent.
  virtual double enough_share() const { return 1; }

  /// What the whole Hessian, estimated from this share of the data, costs in units of one
  /// hessian_times; infinite where there is none.
  virtual double hessian_cost(double share) const = 0;
  /// Row-major. Requires: hessian_cost() is finite.
  virtual void hessian(const Point& point, double share, std::span<double> out) const = 0;

  /// What a preconditioner from a share of the data costs, in the same units; infinite where there
  /// is none.
  virtual double preconditioner_cost(double /*share*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// About the Hessian at weights 0: size() x size(), its lower triangle. Single precision.
  /// Requires: preconditioner_cost() is finite.
  virtual std::vector<float> preconditioner(double /*share*/) const { return {}; }
};

/// Several objectives penalty(w) + C loss(w) of one loss, which share their passes over the data.
class SmoothPath {
 public:
  using Point = SmoothObjective::Point;

  virtual ~SmoothPath() = default;
  virtual std::span<const double> values_of_c() const = 0;  // rising
  virtual int threads() const = 0;  // for work that is not a pass: as in num_worker_threads
  virtual const SmoothObjective& problem(std::size_t index) const = 0;
  /// The part of problem(index).preconditioner(share) that is multiplied by C.
  virtual std::vector<float> loss_preconditioner(double share) const = 0;

  /// problem(indices[k]).at(weights[k]) for every k, in one pass.
  virtual std::vector<std::unique_ptr<Point>> at(std::span<const std::size_t> indices,
                                                 std::span<const std::vector<double>> weights,
                                                 Accuracy accuracy) const = 0;

  /// outs[k] = problem(indices[k]).hessian_times(*points[k], directions[k]), in one pass and with
  /// products in single precision.
  virtual void hessian_times(std::span<const std::size_t> indices,
                             std::span<const Point* const> points,
                             std::span<const std::vector<double>> directions,
                             std::span<std::vector<double>> outs) const = 0;
};

}  // namespace rankine
