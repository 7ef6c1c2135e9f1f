// Newton's method in the function space of the kernel. The preconditioner is made from a Nystroem
// map: it is self-adjoint in the inner product of K only as far as its features reproduce K. The
// update of directions is therefore the flexible one, which does not assume that; convergence is
// judged by the true residual, and where the preconditioned residual vanishes before the true one
// does, the iteration goes on without the preconditioner.
// Chapelle, "Training a support vector machine in the primal", 2007; Notay, "Flexible conjugate
// gradients", 2000; a Nystroem preconditioner: Rudi, Carratino and Rosasco, "FALKON", 2017.
#include "solvers/kernel_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/interruption.hpp"
#include "linalg/inner_product.hpp"
#include "solvers/stopping_rule.hpp"

namespace rankine {
namespace {

using Vector = std::vector<double>;

void add(Vector& to, double factor, std::span<const double> from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * from[k];
}

class KernelNewton {
 public:
  KernelNewton(const KernelObjective& objective, double C, const NewtonOptions& options,
               const StopRequest& stop)
      : objective_(objective),
        C_(C),
        l2_(objective.penalty().l2()),
        options_(options),
        rule_(options, stop),
        preconditioner_(objective, C),
        preconditioned_(preconditioner_.works()) {}

  SolveResult run(std::span<const double> start) {
    beta_.assign(start.begin(), start.end());
    Vector scores(beta_.size());
    if (std::any_of(beta_.begin(), beta_.end(), [](double b) { return b != 0; })) {
      times(beta_, scores);
    }
    point_ = objective_.loss().at(std::move(scores));
    try {
      report_.termination = iterate();
    } catch (const Interrupted&) {  // in the middle of an iteration: what came before it counts
      report_.termination = Termination::interrupted;
    }
    report_.objective = value(beta_, *point_);
    const Vector gradient = residual_of_point();
    Vector image(gradient.size());
    try {
      times(gradient, image);
      report_.gap = objective_.penalty().gap_of_squared_norm(std::max(0.0, dot(gradient, image)));
    } catch (const Interrupted&) {
      report_.termination = Termination::interrupted;
      report_.gap = std::numeric_limits<double>::infinity();
    }
    return {std::move(beta_), std::move(report_)};
  }

 private:
  void times(const Vector& in, Vector& out) {
    objective_.kernel_times(in, out);
    ++report_.products;
  }
  double value(const Vector& beta, const ScoreEvaluator::Point& point) const {
    return objective_.penalty().value_of_squared_norm(dot(beta, point.scores())) +
           C_ * point.value();
  }
  /// The gradient in the function space, by its coefficients.
  Vector residual_of_point() const {
    Vector gradient(beta_);
    for (double& entry : gradient) entry *= l2_;
    add(gradient, C_, point_->slopes());
    return gradient;
  }

  Termination iterate() {
    double first_norm = 0;
    for (;; ++report_.iterations) {
      Vector residual = residual_of_point();
      const double norm = std::sqrt(dot(residual, residual));
      if (report_.iterations == 0) first_norm = norm;
      report_.objective = value(beta_, *point_);
      if (const auto end = rule_.before(report_, norm, first_norm)) return *end;
      SolveStep step{report_.objective, norm, 0, 0, 0};
      for (double& entry : residual) entry = -entry;
      step.inner_iterations = solve(residual, StoppingRule::inner_tolerance(norm, first_norm));
      step.decrement = dot(residual, image_);  // -gradient' K step
      const bool converged = rule_.is_last(step.decrement, report_.objective);
      step.step = move(step.decrement);
      report_.steps.push_back(step);
      if (converged) {
        ++report_.iterations;
        return Termination::converged;
      }
      if (step.step == 0) return Termination::no_progress;
    }
  }

  /// Leaves the step in step_ and K step in image_.
  int solve(const Vector& right, double tolerance) {
    step_.assign(right.size(), 0.0);
    image_.assign(right.size(), 0.0);
    Vector residual(right);
    Vector last(right.size());
    Vector solved(right.size());
    Vector direction(right.size());
    Vector direction_image(right.size());
    Vector solved_image(right.size());
    Vector product(right.size());
    const double target = tolerance * std::sqrt(dot(right, right));
    double energy = 0;
    int count = 0;
    bool fresh = true;
    while (count < options_.max_cg_iterations && std::sqrt(dot(residual, residual)) > target) {
      if (preconditioned_) {
        preconditioner_.apply(residual, solved);
      } else {
        solved = residual;
      }
      times(solved, solved_image);
      ++count;
      const double now = dot(residual, solved_image);
      // The preconditioned residual has vanished, or points the wrong way, and the residual has
      // not.
      if (preconditioned_ &&
          !(now > 1e-10 * std::sqrt(dot(residual, residual) * dot(solved_image, solved_image)))) {
        preconditioned_ = false;
        fresh = true;
        continue;
      }
      if (!(now > 0)) break;
      const double turn = fresh ? 0 : (now - dot(last, solved_image)) / energy;
      for (std::size_t k = 0; k < direction.size(); ++k) {
        direction[k] = solved[k] + turn * direction[k];
        direction_image[k] = solved_image[k] + turn * direction_image[k];
      }
      energy = now;
      fresh = false;
      objective_.loss().hessian_times(*point_, direction_image, product);
      for (std::size_t k = 0; k < product.size(); ++k) {
        product[k] = l2_ * direction[k] + C_ * product[k];
      }
      const double curvature = dot(direction_image, product);
      if (!(curvature > 0)) break;
      const double length = dot(residual, direction_image) / curvature;
      last = residual;
      add(step_, length, direction);
      add(image_, length, direction_image);
      add(residual, -length, product);
      if (preconditioned_ && count == kPoorProducts) preconditioned_ = false;
    }
    return count;
  }

  /// Takes the share of the step along which the objective falls; returns the share.
  double move(double decrement) {
    if (!(decrement > 0)) return 0;
    const double before = value(beta_, *point_);
    for (double t = 1; t > 1e-10; t /= 2) {
      Vector scores(point_->scores().begin(), point_->scores().end());
      add(scores, t, image_);
      Vector beta(beta_);
      add(beta, t, step_);
      auto there = objective_.loss().at(std::move(scores));
      if (value(beta, *there) <= before - 1e-4 * t * decrement) {
        beta_ = std::move(beta);
        point_ = std::move(there);
        return t;
      }
    }
    return 0;
  }

  static constexpr int kPoorProducts = 150;  // in one step: the preconditioner does not help

  const KernelObjective& objective_;
  double C_;
  double l2_;
  const NewtonOptions& options_;
  StoppingRule rule_;
  KernelObjective::Preconditioner preconditioner_;
  bool preconditioned_;
  Vector beta_;
  std::unique_ptr<ScoreEvaluator::Point> point_;
  Vector step_;
  Vector image_;
  SolveReport report_;
};

}  // namespace

SolveResult minimise_kernel_newton(const KernelObjective& objective, double C,
                                   std::span<const double> start, const NewtonOptions& options,
                                   const StopRequest& stop) {
  return KernelNewton(objective, C, options, stop).run(start);
}

}  // namespace rankine
