// Narrow data: one C after the other. At a minimum the gradient of the penalty is -C g, g that of
// the loss, so dw / d log C = -C H^-1 g with H the Hessian of the objective. The factor of the last
// Hessian therefore predicts the next minimum, and serves the first steps there too.
//
// Wide data: all C at once, because one pass over the data then serves them all. Every C starts
// from the minimum of the quadratic that the loss is at w = 0, which needs no pass. The Hessian
// there, formed once, gives every C its preconditioner. In each round the conjugate gradients of
// all problems advance together, and problems that are done drop out.
// Paths by prediction and correction: Allgower and Georg, "Numerical Continuation Methods", 1990.
#include "solvers/newton_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/symmetric_factors.hpp"
#include "solvers/conjugate_gradient.hpp"
#include "solvers/line_step.hpp"
#include "solvers/stopping_rule.hpp"

namespace rankine {
namespace {

// A step that promises this share of the objective leads to where another step will start: a point
// that is known roughly is enough.
constexpr double kFar = 1e-3;

/// Rescales the Hessian at one C to another C; the penalty's part stays the same.
void change_c(std::vector<double>& hessian, std::size_t size, const Penalty& penalty, double from,
              double to) {
  const double ratio = to / from;
  for (double& entry : hessian) entry *= ratio;
  penalty.add_hessian(std::span(hessian), size, 1 - ratio);
}

std::vector<SolveResult> solve_sequential_path(const SmoothPath& path, const NewtonOptions& options,
                                               const StopRequest& stop) {
  const auto values = path.values_of_c();
  const auto size = static_cast<std::size_t>(path.problem(0).size());
  std::vector<SolveResult> results;
  NewtonMemory memory;
  std::vector<double> start(size);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && !memory.hessian.empty()) {
      const CholeskyFactor factor(memory.hessian, static_cast<std::int64_t>(size));
      if (!factor.not_positive_definite()) {
        std::vector<double> slope(size);
        path.problem(k).penalty().add_gradient(start, slope);
        factor.solve(slope);
        const double step = std::log(values[k] / values[k - 1]);
        for (std::size_t f = 0; f < size; ++f) start[f] += step * slope[f];
      }
      change_c(memory.hessian, size, path.problem(k).penalty(), values[k - 1], values[k]);
    }
    try {
      results.push_back(minimise_newton(path.problem(k), start, options, stop, &memory));
    } catch (const Interrupted&) {  // before the first iteration
      if (results.empty()) throw;
      return results;
    }
    start = results.back().weights;
  }
  return results;
}

/// One C among those that advance together.
struct Problem {
  std::size_t index = 0;
  std::unique_ptr<SmoothObjective::Point> point;
  std::optional<SingleCholesky> factor;
  double first_norm = 0;
  SolveReport report;
  bool done = false;
  Accuracy accuracy = Accuracy::full;  // of the point

  std::optional<ConjugateGradient> system;  // of the present Newton step

  double norm() const { return std::sqrt(dot(point->gradient, point->gradient)); }
  const std::vector<double>& step() const { return system->x(); }
  double decrement() const { return -dot(point->gradient, step()); }

  void start_system() {
    std::vector<double> right(point->gradient);
    for (double& value : right) value = -value;
    system.emplace(right, StoppingRule::inner_tolerance(norm(), first_norm),
                   factor ? Preconditioner([this](std::span<double> v) { factor->solve(v); })
                          : Preconditioner());
  }
  bool is_solved(int max_iterations) const {
    return system->is_done() || system->products() >= max_iterations;
  }
};

class BatchedPath {
 public:
  BatchedPath(const SmoothPath& path, const NewtonOptions& options, const StopRequest& stop)
      : path_(path),
        options_(options),
        rule_(options, stop),
        problems_(path.values_of_c().size()) {}

  std::vector<SolveResult> run() {
    start();
    while (!all_done()) {
      try {
        solve_systems();
        move();
      } catch (const Interrupted&) {
        for (Problem& problem : problems_) {
          if (!problem.done) end(problem, Termination::interrupted);
        }
      }
    }
    try {
      look_again();
    } catch (const Interrupted&) {  // the rough value must do
    }
    std::vector<SolveResult> results;
    for (Problem& problem : problems_) {
      problem.report.objective = problem.point->value;
      problem.report.gap = path_.problem(problem.index).penalty().gap(problem.point->gradient);
      results.push_back({std::move(problem.point->weights), std::move(problem.report)});
    }
    return results;
  }

 private:
  void start() {
    const auto values = path_.values_of_c();
    const SmoothObjective& first = path_.problem(0);
    const auto size = static_cast<std::size_t>(first.size());
    const auto origin = first.at(std::vector<double>(size));
    std::vector<float> loss;
    if (std::isfinite(first.preconditioner_cost(1))) loss = path_.loss_preconditioner(1);
    std::vector<std::size_t> indices(values.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::vector<std::vector<double>> weights(values.size(), std::vector<double>(size));
    for_each(values.size(), [&](std::size_t k) {
      Problem& problem = problems_[k];
      problem.index = k;
      // At w = 0 the gradient is C times the loss's.
      std::vector<double> gradient(origin->gradient);
      for (double& value : gradient) value *= values[k] / values[0];
      problem.first_norm = std::sqrt(dot(gradient, gradient));
      if (loss.empty()) return;
      std::vector<float> matrix(loss);
      for (float& entry : matrix) entry *= static_cast<float>(values[k]);
      path_.problem(k).penalty().add_hessian(std::span(matrix), size);
      problem.factor.emplace(std::move(matrix), static_cast<std::int64_t>(size));
      if (problem.factor->failed()) {
        problem.factor.reset();
        return;
      }
      problem.report.hessians = k == 0 ? 1 : 0;
      problem.factor->solve(gradient);
      for (std::size_t f = 0; f < size; ++f) weights[k][f] = -gradient[f];
    });
    Accuracy accuracy = Accuracy::rough;
    auto points = look(indices, weights, accuracy);
    for (std::size_t k = 0; k < values.size(); ++k) {
      problems_[k].point = std::move(points[k]);
      problems_[k].accuracy = accuracy;
    }
  }

  /// Points as exact as `accuracy` asks; in full where rough ones turn out to be useless.
  /// `accuracy` then says so.
  std::vector<std::unique_ptr<SmoothObjective::Point>> look(
      std::span<const std::size_t> indices, std::span<const std::vector<double>> weights,
      Accuracy& accuracy) const {
    auto points = path_.at(indices, weights, accuracy);
    if (accuracy == Accuracy::full) return points;
    const bool are_finite = std::all_of(points.begin(), points.end(), [](const auto& point) {
      return std::isfinite(point->value) && std::isfinite(dot(point->gradient, point->gradient));
    });
    if (are_finite) return points;
    accuracy = Accuracy::full;
    points.clear();
    return path_.at(indices, weights, accuracy);
  }

  /// Work that each problem does alone: factoring a matrix of its own, or solving with it.
  template <class Body>
  void for_each(std::size_t count, const Body& body) const {
    parallel_for(static_cast<std::int64_t>(count), path_.threads(),
                 [&](std::int64_t k) { body(static_cast<std::size_t>(k)); });
  }

  bool all_done() const {
    return std::all_of(problems_.begin(), problems_.end(), [](const Problem& p) { return p.done; });
  }

  void end(Problem& problem, Termination termination) {
    problem.done = true;
    problem.report.termination = termination;
  }

  /// Leaves the Newton step of every problem that goes on in its step().
  void solve_systems() {
    for (Problem& problem : problems_) {
      if (problem.done) continue;
      problem.report.objective = problem.point->value;
      const auto reason = rule_.before(problem.report, problem.norm(), problem.first_norm);
      if (reason) end(problem, *reason);
    }
    for_each(problems_.size(), [&](std::size_t k) {
      if (!problems_[k].done) problems_[k].start_system();
    });
    for (;;) {
      std::vector<Problem*> active;
      for (Problem& problem : problems_) {
        if (!problem.done && !problem.is_solved(options_.max_cg_iterations)) {
          active.push_back(&problem);
        }
      }
      if (active.empty()) return;
      std::vector<std::size_t> indices;
      std::vector<const SmoothPath::Point*> points;
      std::vector<std::vector<double>> directions;
      std::vector<std::vector<double>> images(active.size());
      for (Problem* problem : active) {
        indices.push_back(problem->index);
        points.push_back(problem->point.get());
        directions.push_back(problem->system->direction());
      }
      path_.hessian_times(indices, points, directions, images);
      for_each(active.size(), [&](std::size_t k) {
        active[k]->system->advance(images[k]);
        ++active[k]->report.products;
      });
    }
  }

  void move() {
    std::vector<std::size_t> indices;
    std::vector<std::vector<double>> weights;
    Accuracy accuracy = Accuracy::rough;
    for (Problem& problem : problems_) {
      path_.problem(problem.index).forget(*problem.point);
      if (problem.done) continue;
      indices.push_back(problem.index);
      weights.push_back(problem.point->weights);
      for (std::size_t f = 0; f < weights.back().size(); ++f) {
        weights.back()[f] += problem.step()[f];
      }
      if (problem.decrement() <= kFar * std::abs(problem.point->value)) accuracy = Accuracy::full;
    }
    if (indices.empty()) return;
    auto points = look(indices, weights, accuracy);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      accept(problems_[indices[k]], points[k], accuracy);
    }
    if (is_too_rough_) look_again();
    is_too_rough_ = false;
  }

  void accept(Problem& problem, std::unique_ptr<SmoothObjective::Point>& whole, Accuracy accuracy) {
    SolveStep step{problem.point->value, problem.norm(), problem.decrement(),
                   problem.system->products(), 0};
    const bool converged = rule_.is_last(step.decrement, problem.point->value);
    step.step = take_step(path_.problem(problem.index), problem.point, std::move(whole),
                          problem.step(), step.decrement);
    if (step.step == 1) problem.accuracy = accuracy;
    if (step.step > 0 && step.step < 1) problem.accuracy = Accuracy::full;
    ++problem.report.iterations;
    problem.report.steps.push_back(step);
    if (converged) {
      end(problem, Termination::converged);
    } else if (step.step == 0 && problem.accuracy == Accuracy::rough) {
      is_too_rough_ = true;  // to tell whether there is progress
    } else if (step.step == 0) {
      end(problem, Termination::no_progress);
    }
  }

  /// At the points that are known only roughly.
  void look_again() {
    std::vector<std::size_t> indices;
    std::vector<std::vector<double>> weights;
    for (const Problem& problem : problems_) {
      if (problem.accuracy == Accuracy::full) continue;
      indices.push_back(problem.index);
      weights.push_back(problem.point->weights);
    }
    if (indices.empty()) return;
    auto points = path_.at(indices, weights, Accuracy::full);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      problems_[indices[k]].point = std::move(points[k]);
      problems_[indices[k]].accuracy = Accuracy::full;
    }
  }

  const SmoothPath& path_;
  const NewtonOptions& options_;
  StoppingRule rule_;
  std::vector<Problem> problems_;
  bool is_too_rough_ = false;
};

}  // namespace

std::vector<SolveResult> minimise_newton_path(const SmoothPath& path, const NewtonOptions& options,
                                              const StopRequest& stop) {
  if (path.values_of_c().empty()) return {};
  if (cheapest_plan(path.problem(0)).strategy == NewtonStrategy::direct) {
    return solve_sequential_path(path, options, stop);
  }
  return BatchedPath(path, options, stop).run();
}

}  // namespace rankine
