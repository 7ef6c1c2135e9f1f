// The cost model counts in Hessian products. Solving directly needs one Hessian a step, some six
// steps in all; preconditioning needs one Hessian and then some thirty products; plain conjugate
// gradients need some hundreds. The inner tolerance follows the fall of the gradient, so that the
// early systems are solved roughly and the last ones well (Eisenstat and Walker's idea).
#include "solvers/newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>

#include "compute/dense_algebra.hpp"
#include "solvers/conjugate_gradient.hpp"

namespace rankine {
namespace {

enum class Strategy { direct, preconditioned, plain };

Strategy cheapest(const SmoothObjective& objective) {
  constexpr double kSteps = 6;
  constexpr double kPreconditionedProducts = 30;
  constexpr double kPlainProducts = 250;
  const double hessian = objective.hessian_cost();
  const double direct = kSteps * hessian;
  const double preconditioned = hessian + kPreconditionedProducts;
  if (std::min(direct, preconditioned) > kPlainProducts) return Strategy::plain;
  return direct <= preconditioned ? Strategy::direct : Strategy::preconditioned;
}

constexpr double kGoodReduction = 0.05;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class Newton {
 public:
  Newton(const SmoothObjective& objective, const NewtonOptions& options, const StopRequest& stop)
      : objective_(objective), options_(options), stop_(stop), strategy_(cheapest(objective)) {}

  SolveResult run(std::span<const double> start) {
    point_ = objective_.at(start);
    first_norm_ = std::sqrt(dot(point_->gradient, point_->gradient));
    report_.termination = iterate();
    report_.objective = point_->value;
    report_.gap = 0.5 * dot(point_->gradient, point_->gradient);
    return {std::move(point_->weights), std::move(report_)};
  }

 private:
  Termination iterate() {
    std::vector<double> direction(point_->gradient.size());
    double last_decrement = 0;
    for (;; ++report_.iterations) {
      report_.objective = point_->value;
      const double norm = std::sqrt(dot(point_->gradient, point_->gradient));
      if (norm == 0) return Termination::converged;
      if (options_.stopping == Stopping::gradient && norm <= options_.tolerance * first_norm_) {
        return Termination::converged;
      }
      if (report_.iterations == options_.max_iterations) return Termination::iteration_limit;
      if (stop_ && stop_(report_)) return Termination::stopped;
      SolveStep step{point_->value, norm, 0, 0, 0};
      step.inner_iterations = solve(norm, direction);
      step.decrement = -dot(point_->gradient, direction);
      const double target = options_.tolerance * std::abs(point_->value);
      const bool by_decrement = options_.stopping == Stopping::decrement;
      // An old factor still tells the decrement within a factor of two, and still gives a good step
      // as long as each one shrinks the decrement well.
      const bool old = strategy_ == Strategy::direct && factor_age_ > 0;
      const bool nearly_there = by_decrement && 2 * step.decrement <= target;
      if (old && !nearly_there && step.decrement > kGoodReduction * last_decrement) {
        refresh();
        step.inner_iterations = solve(norm, direction);
        step.decrement = -dot(point_->gradient, direction);
      }
      const bool converged = by_decrement && step.decrement <= target;
      last_decrement = step.decrement;
      step.step = move(direction, step.decrement);
      ++factor_age_;
      report_.steps.push_back(step);
      if (converged) {
        ++report_.iterations;
        return Termination::converged;
      }
      if (step.step == 0) return Termination::no_progress;
    }
  }

  /// Writes the Newton step to `direction` and returns the products it took.
  int solve(double norm, std::span<double> direction) {
    if (strategy_ != Strategy::plain && !factor_.has_value()) refresh();
    if (strategy_ == Strategy::direct) {
      for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = -point_->gradient[k];
      factor_->solve(direction);
      return 0;
    }
    std::vector<double> right(point_->gradient);
    for (double& value : right) value = -value;
    const double tolerance = std::min(0.1, std::sqrt(norm / first_norm_));
    const Preconditioner precondition =
        factor_ ? Preconditioner([this](std::span<double> v) { factor_->solve(v); })
                : Preconditioner();
    const int products = conjugate_gradient(
        [this](std::span<const double> in, std::span<double> out) {
          objective_.hessian_times(*point_, in, out);
        },
        precondition, right, tolerance, options_.max_cg_iterations, direction);
    report_.products += products;
    return products;
  }

  /// Forms and factors the Hessian at the present point.
  void refresh() {
    const std::int64_t size = objective_.size();
    std::vector<double> hessian(static_cast<std::size_t>(size * size));
    objective_.hessian(*point_, hessian);
    ++report_.hessians;
    factor_.emplace(std::move(hessian), size);
    factor_age_ = 0;
    if (factor_->not_positive_definite()) {  // single precision lost it: go on without
      factor_.reset();
      strategy_ = Strategy::plain;
    }
  }

  /// Moves to the best point found along `direction`; returns the share of it taken, 0 for none.
  double move(std::span<const double> direction, double decrement) {
    auto whole = step_by(direction, 1);
    constexpr double kSufficient = 1e-4;
    if (whole->value <= point_->value - kSufficient * decrement) {
      point_ = std::move(whole);
      return 1;
    }
    const double t = search(*whole);
    if (t > 0) {
      auto trial = t == 1 ? std::move(whole) : step_by(direction, t);
      if (trial->value < point_->value) {
        point_ = std::move(trial);
        return t;
      }
    }
    return 0;
  }

  std::unique_ptr<SmoothObjective::Point> step_by(std::span<const double> direction,
                                                  double t) const {
    std::vector<double> weights(point_->weights);
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += t * direction[k];
    return objective_.at(weights);
  }

  /// The minimiser in (0, 1] of the convex function along the segment to `whole`: where the slope
  /// changes sign, by bisection steered by the secant.
  double search(const SmoothObjective::Point& whole) const {
    double low = 0;
    double high = 1;
    double low_slope = objective_.between(*point_, whole, 0).slope;
    double high_slope = objective_.between(*point_, whole, 1).slope;
    if (high_slope <= 0) return 1;
    if (low_slope >= 0) return 0;
    const double first_slope = low_slope;
    double t = 1;
    for (int iteration = 0; iteration < 60; ++iteration) {
      t = low - low_slope * (high - low) / (high_slope - low_slope);
      const double margin = 0.05 * (high - low);
      t = std::clamp(t, low + margin, high - margin);
      const double slope = objective_.between(*point_, whole, t).slope;
      if (std::abs(slope) <= 0.01 * std::abs(first_slope)) break;
      (slope < 0 ? low : high) = t;
      (slope < 0 ? low_slope : high_slope) = slope;
    }
    return t;
  }

  const SmoothObjective& objective_;
  const NewtonOptions& options_;
  const StopRequest& stop_;
  Strategy strategy_;
  std::unique_ptr<SmoothObjective::Point> point_;
  std::optional<CholeskyFactor> factor_;
  int factor_age_ = 0;  // steps taken since the factor was formed
  double first_norm_ = 0;
  SolveReport report_;
};

}  // namespace

SolveResult minimise_newton(const SmoothObjective& objective, std::span<const double> start,
                            const NewtonOptions& options, const StopRequest& stop) {
  return Newton(objective, options, stop).run(start);
}

}  // namespace rankine
