// Each step solves  Hessian * step = -gradient  and takes it with a line search; "truncated"
// because the system is solved only as exactly as the distance to the minimum deserves. Three ways
// to solve it are compared by cost, counted in Hessian products. Direct: two or three Hessians in
// all, each from a share of the data; one that is wrong by some per cent still shrinks the gradient
// a hundredfold per step, and steps are cheap beside it. Preconditioned conjugate gradients: one
// matrix, then some products, and more of them the smaller the share of the data the matrix comes
// from. Plain conjugate gradients: some hundreds of products. A preconditioner from a share of the
// data that turns out poor is made again from all of it.
// Dembo and Steihaug, "Truncated-Newton algorithms for large-scale unconstrained optimization",
// 1983; for ranking, Chapelle and Keerthi, "Efficient algorithms for ranking with SVMs", 2010.
#include "solvers/newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>

#include "base/interruption.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/symmetric_factors.hpp"
#include "solvers/conjugate_gradient.hpp"
#include "solvers/line_step.hpp"
#include "solvers/stopping_rule.hpp"

namespace rankine {
namespace {

constexpr double kGoodReduction = 0.05;
constexpr int kPoorProducts = 40;    // in one Newton step
constexpr int kMostPoorFactors = 5;  // used for one step each, before more of the data is used
constexpr double kPoorFall = 0.25;   // of the decrement
constexpr int kMostExtraSteps = 2;
constexpr double kCertificate = 100;  // times the tolerance

class Newton {
 public:
  Newton(const SmoothObjective& objective, const NewtonOptions& options, const StopRequest& stop,
         NewtonMemory* memory)
      : objective_(objective),
        options_(options),
        rule_(options, stop),
        memory_(memory),
        plan_(cheapest_plan(objective)) {
    if (memory != nullptr && !memory->hessian.empty() && plan_.strategy == NewtonStrategy::direct) {
      factor_.emplace(memory->hessian, objective.size());
      factor_age_ = 1;
      if (factor_->not_positive_definite()) factor_.reset();
    }
    if (memory != nullptr && memory->preconditioner.has_value() &&
        plan_.strategy == NewtonStrategy::preconditioned) {
      preconditioner_.swap(memory->preconditioner);
      plan_.share = memory->share;
    }
  }

  SolveResult run(std::span<const double> start) {
    point_ = at(start);
    first_norm_ = std::sqrt(dot(point_->gradient, point_->gradient));
    try {
      report_.termination = iterate();
    } catch (const Interrupted&) {  // in the middle of an iteration: what came before it counts
      report_.termination = Termination::interrupted;
    }
    report_.objective = point_->value;
    report_.gap = objective_.penalty().gap(point_->gradient);
    if (memory_ != nullptr) {
      memory_->preconditioner.swap(preconditioner_);
      memory_->share = plan_.share;
    }
    return {std::move(point_->weights), std::move(report_)};
  }

 private:
  Termination iterate() {
    std::vector<double> direction(point_->gradient.size());
    double last_decrement = std::numeric_limits<double>::infinity();
    for (;; ++report_.iterations) {
      report_.objective = point_->value;
      const double norm = std::sqrt(dot(point_->gradient, point_->gradient));
      if (const auto end = rule_.before(report_, norm, first_norm_)) return *end;
      SolveStep step{point_->value, norm, 0, 0, 0};
      step.inner_iterations = solve(norm, direction);
      step.decrement = -dot(point_->gradient, direction);
      // An old factor estimates the decrement within a factor of two, and gives good steps for as
      // long as each step shrinks the decrement well.
      const bool old = plan_.strategy == NewtonStrategy::direct && factor_age_ > 0;
      const bool nearly_there = rule_.is_last(step.decrement, point_->value, 2);
      if (old && !nearly_there && step.decrement > kGoodReduction * last_decrement) {
        if (factor_age_ == 1 && ++poor_factors_ % kMostPoorFactors == 0) {
          plan_.share = std::min(1.0, 4 * plan_.share);
        }
        refresh();
        step.inner_iterations = solve(norm, direction);
        step.decrement = -dot(point_->gradient, direction);
      }
      const bool converged = rule_.is_last(step.decrement, point_->value);
      last_decrement = step.decrement;
      step.step = move(direction, step.decrement);
      ++factor_age_;
      // A quadratic would have fallen by half the decrement. Much less means that the Hessian is
      // larger than the factor says: more of the data is used.
      const double fall = step.objective - point_->value;
      if (plan_.strategy == NewtonStrategy::direct && plan_.share < 1 && !converged &&
          fall < kPoorFall * step.decrement) {
        plan_.share = std::min(1.0, 4 * plan_.share);
        last_decrement = 0;
      }
      report_.steps.push_back(step);
      if (converged && (step.step == 0 || !wants_extra_step())) {
        ++report_.iterations;
        return Termination::converged;
      }
      if (step.step == 0) return Termination::no_progress;
    }
  }

  /// Whether the certified gap, which is cruder than the decrement, is worth another step with the
  /// factor that is there.
  bool wants_extra_step() {
    if (plan_.strategy != NewtonStrategy::direct || extra_steps_ == kMostExtraSteps) return false;
    if (report_.iterations + 1 >= options_.max_iterations) return false;
    const double gap = objective_.penalty().gap(point_->gradient);
    if (gap <= kCertificate * options_.tolerance * std::abs(point_->value)) return false;
    ++extra_steps_;
    return true;
  }

  /// Writes the Newton step to `direction` and returns the products it took.
  int solve(double norm, std::span<double> direction) {
    if (plan_.strategy == NewtonStrategy::direct && !factor_.has_value()) refresh();
    if (plan_.strategy == NewtonStrategy::preconditioned && !preconditioner_.has_value()) {
      make_preconditioner();
    }
    if (plan_.strategy == NewtonStrategy::direct) {
      for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = -point_->gradient[k];
      factor_->solve(direction);
      return 0;
    }
    std::vector<double> right(point_->gradient);
    for (double& value : right) value = -value;
    const double tolerance = StoppingRule::inner_tolerance(norm, first_norm_);
    const Preconditioner precondition =
        preconditioner_ ? Preconditioner([this](std::span<double> v) { preconditioner_->solve(v); })
                        : Preconditioner();
    const int products = conjugate_gradient(
        [this](std::span<const double> in, std::span<double> out) {
          objective_.hessian_times(*point_, in, out);
        },
        precondition, right, tolerance, options_.max_cg_iterations, direction);
    report_.products += products;
    if (products > kPoorProducts && plan_.share > 0 && plan_.share < 1) {
      plan_.share = 1;
      preconditioner_.reset();
    }
    return products;
  }

  void make_preconditioner() {
    preconditioner_.emplace(objective_.preconditioner(plan_.share), objective_.size());
    ++report_.hessians;
    if (preconditioner_->failed()) {
      preconditioner_.reset();
      plan_ = {};
    }
  }

  /// Forms and factors the Hessian at the present point.
  void refresh() {
    const std::int64_t size = objective_.size();
    std::vector<double> hessian(static_cast<std::size_t>(size * size));
    objective_.hessian(*point_, plan_.share, hessian);
    ++report_.hessians;
    if (memory_ != nullptr) memory_->hessian = hessian;
    factor_.emplace(std::move(hessian), size);
    factor_age_ = 0;
    if (factor_->not_positive_definite()) {  // single precision lost it: go on without
      factor_.reset();
      plan_ = {};
    }
  }

  double move(std::span<const double> direction, double decrement) {
    std::vector<double> weights(point_->weights);
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += direction[k];
    objective_.forget(*point_);
    return take_step(objective_, point_, at(weights), direction, decrement);
  }

  std::unique_ptr<SmoothObjective::Point> at(std::span<const double> weights) const {
    return plan_.strategy == NewtonStrategy::direct ? objective_.at_for_hessian(weights)
                                                    : objective_.at(weights);
  }

  const SmoothObjective& objective_;
  const NewtonOptions& options_;
  StoppingRule rule_;
  NewtonMemory* memory_;
  NewtonPlan plan_;
  std::unique_ptr<SmoothObjective::Point> point_;
  std::optional<CholeskyFactor> factor_;
  std::optional<SingleCholesky> preconditioner_;
  int factor_age_ = 0;  // steps taken since the factor was formed
  int poor_factors_ = 0;
  int extra_steps_ = 0;
  double first_norm_ = 0;
  SolveReport report_;
};

}  // namespace

NewtonPlan cheapest_plan(const SmoothObjective& objective) {
  constexpr double kHessians = 2.5;
  constexpr double kPlainProducts = 250;
  struct Choice {
    double share;
    double products;
  };
  // Measured on MQ2007: docs/notes/performance.md.
  constexpr std::array<Choice, 3> kChoices{{{1, 12}, {0.25, 30}, {0.1, 45}}};
  NewtonPlan best{NewtonStrategy::plain, 0, kPlainProducts};
  const auto consider = [&](const NewtonPlan& plan) {
    if (plan.cost < best.cost) best = plan;
  };
  for (const Choice& choice : kChoices) {
    consider({NewtonStrategy::preconditioned, choice.share,
              objective.preconditioner_cost(choice.share) + choice.products});
  }
  const double enough = objective.enough_share();
  consider({NewtonStrategy::preconditioned, enough,
            objective.preconditioner_cost(enough) + kChoices[0].products});
  consider({NewtonStrategy::direct, enough, kHessians * objective.hessian_cost(enough)});
  return best;
}

SolveResult minimise_newton(const SmoothObjective& objective, std::span<const double> start,
                            const NewtonOptions& options, const StopRequest& stop,
                            NewtonMemory* memory) {
  return Newton(objective, options, stop, memory).run(start);
}

}  // namespace rankine
