// Cutting planes: every point of the risk gives a plane below it; the minimum of penalty + highest
// plane is a lower bound of the objective, and where it is reached a new plane is cut. The plain
// method jumps about, so we keep the best point, search exactly on the segment from it to the
// minimiser of the planes, and cut a little beyond the best point found, as OCAS does. The
// minimiser's own plane comes with its scores at no cost, so it is taken too.
//
// Before cutting, Newton's method comes near the minimum on smooth objectives below this one, which
// get narrower and narrower (NonsmoothObjective::Smoothing). At the minimum of each, the slopes of
// its pairs are a dual solution: one plane, whose bound falls short of ours by the square of the
// width. Where columns are few, some Newton steps do the work of hundreds of cuts, whatever C is;
// where Newton systems are expensive, cuts come first for as long as they promise to be enough.
// Joachims, "Training linear SVMs in linear time", 2006 (one slack variable); Franc and Sonnenburg,
// "Optimized cutting plane algorithm for support vector machines", 2008 (OCAS); Nesterov, "Smooth
// minimization of non-smooth functions", 2005.
#include "solvers/cutting_plane.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "base/interruption.hpp"
#include "linalg/inner_product.hpp"
#include "solvers/simplex_quadratic.hpp"

namespace rankine {
namespace {

/// Planes below the risk, the minimiser of penalty(w) + the highest, and its value. In the dual
/// that is a quadratic programme over the weights of a convex combination of planes; its Gram
/// matrix is in the metric of the penalty.
class PlaneModel {
 public:
  /// Starts with the plane 0: a risk is nowhere negative.
  PlaneModel(std::size_t size, const Penalty& penalty)
      : penalty_(penalty), slopes_{std::vector<double>(size)} {
    problem_.gram = {0};
    problem_.linear = {0};
    shares_ = {1};
    idle_ = {0};
  }

  void add(const NonsmoothObjective::Point& point) {
    const std::size_t old = problem_.size();
    std::vector<double> gram((old + 1) * (old + 1));
    for (std::size_t r = 0; r < old; ++r) {
      std::copy_n(problem_.gram.begin() + static_cast<std::ptrdiff_t>(r * old), old,
                  gram.begin() + static_cast<std::ptrdiff_t>(r * (old + 1)));
    }
    slopes_.push_back(point.slope);
    for (std::size_t k = 0; k <= old; ++k) {
      gram[k * (old + 1) + old] = gram[old * (old + 1) + k] =
          penalty_.dual_product(slopes_[k], point.slope);
    }
    problem_.gram = std::move(gram);
    problem_.linear.push_back(point.risk - dot(point.slope, point.weights));
    shares_.push_back(0);
    idle_.push_back(0);
  }

  /// Solves to `tolerance` and drops planes that have had weight 0 for long.
  int solve(double tolerance) {
    const int changes = maximise(problem_, tolerance, shares_);
    lower_bound_ = std::max(lower_bound_, problem_.value(shares_));
    forget_idle();
    return changes;
  }

  std::vector<double> minimiser() const {
    std::vector<double> slope(slopes_[0].size());
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      if (shares_[k] == 0) continue;
      for (std::size_t f = 0; f < slope.size(); ++f) slope[f] += shares_[k] * slopes_[k][f];
    }
    return penalty_.minimiser(slope);
  }

  /// The best bound so far: dropping planes cannot lower it.
  double lower_bound() const { return lower_bound_; }

 private:
  void forget_idle() {
    constexpr int kPatience = 25;
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      idle_[k] = shares_[k] > 0 ? 0 : idle_[k] + 1;
      if (k == 0 || idle_[k] < kPatience) kept.push_back(k);
    }
    if (kept.size() == shares_.size()) return;
    SimplexQuadratic rest;
    rest.gram.reserve(kept.size() * kept.size());
    for (std::size_t r = 0; r < kept.size(); ++r) {
      for (const std::size_t c : kept) {
        rest.gram.push_back(problem_.gram[kept[r] * problem_.size() + c]);
      }
    }
    for (std::size_t r = 0; r < kept.size(); ++r) {
      rest.linear.push_back(problem_.linear[kept[r]]);
      if (r == kept[r]) continue;
      shares_[r] = shares_[kept[r]];
      idle_[r] = idle_[kept[r]];
      slopes_[r] = std::move(slopes_[kept[r]]);
    }
    shares_.resize(kept.size());
    idle_.resize(kept.size());
    slopes_.resize(kept.size());
    problem_ = std::move(rest);
  }

  const Penalty& penalty_;
  std::vector<std::vector<double>> slopes_;
  SimplexQuadratic problem_;
  std::vector<double> shares_;  // the dual solution
  std::vector<int> idle_;       // in how many successive solutions a plane had weight 0
  double lower_bound_ = 0;
};

constexpr double kFirstWidth = 2;
constexpr double kSmoothings = 3;
constexpr double kPoints = 5;            // passes a smoothing takes beside Hessians and products
constexpr double kCutCost = 6;           // passes
constexpr double kCheapSmoothing = 100;  // passes: not worth the memory of a cut to avoid
constexpr double kPoorFall = 0.7;        // of the gap, by one smoothing
constexpr double kSmoothTolerance = 1e-3;
constexpr int kMostSmoothSteps = 50;
constexpr double kLeastProducts = 150;
constexpr double kMostProducts = 2000;

class CuttingPlane {
 public:
  CuttingPlane(const NonsmoothObjective& objective, const CuttingPlaneOptions& options,
               const StopRequest& stop)
      : objective_(objective),
        options_(options),
        stop_(stop),
        model_(static_cast<std::size_t>(objective.size()), objective.penalty()) {}

  SolveResult run(std::span<const double> start) {
    best_ = objective_.at_alone(start);
    model_.add(*best_);
    try {
      report_.termination = iterate();
    } catch (const Interrupted&) {  // in the middle of an iteration: what came before it counts
      report_.termination = Termination::interrupted;
    }
    report_.objective = best_->value;
    report_.gap = std::max(0.0, best_->value - model_.lower_bound());
    return {std::move(best_->weights), std::move(report_)};
  }

 private:
  Termination iterate() {
    constexpr int kMostIdle = 20;  // far more than a kink of the risk can cost
    // Cuts at their slowest leave a gap that falls as 1 / iterations: by a fifth in a quarter more
    // of them. Where it falls by less than half of that, what is left is rounding.
    constexpr int kLeastWindow = 100;
    constexpr double kStalledFall = 0.9;
    double last_gap = std::numeric_limits<double>::infinity();
    double window_gap = last_gap;
    for (int idle = 0;; ++report_.iterations) {
      const double target = options_.tolerance * best_->value;
      SolveStep step{};
      step.objective = report_.objective = best_->value;
      step.inner_iterations = model_.solve(0.01 * target);
      step.gap = report_.gap = std::max(0.0, best_->value - model_.lower_bound());
      if (step.gap <= target) return Termination::converged;
      if (report_.iterations == options_.max_iterations) return Termination::iteration_limit;
      if (is_stopped()) return Termination::interrupted;
      idle = step.gap < last_gap ? 0 : idle + 1;
      if (idle == kMostIdle) return Termination::no_progress;
      last_gap = step.gap;
      if (report_.iterations >= window_end_) {
        if (step.gap > kStalledFall * window_gap) return Termination::no_progress;
        window_gap = step.gap;
        window_end_ = report_.iterations + std::max(kLeastWindow, report_.iterations / 4);
      }
      step.step = wants_smoothing(step.gap) ? approach(step) : cut(step.gap);
      report_.steps.push_back(step);
    }
  }

  /// Whether the caller asked to stop; once it did, it is not asked again.
  bool is_stopped() {
    stopped_ = stopped_ || (stop_ && stop_(report_));
    return stopped_;
  }

  /// Whether the next iteration is to be a smoothing, and if so makes it.
  bool wants_smoothing(double gap) {
    switch (phase_) {
      case Phase::start:
        smoothing_ = objective_.smoothing(kFirstWidth);
        if (smoothing_ == nullptr) {
          phase_ = Phase::cutting;
          return false;
        }
        smoothing_cost_ = kSmoothings * (cheapest_plan(smoothing_->objective()).cost + kPoints);
        phase_ = Phase::cutting_first;
        [[fallthrough]];
      case Phase::cutting_first:
        if (cuts_are_cheaper(gap)) return false;
        phase_ = Phase::smoothing;
        start_smoothing(gap);
        return true;
      case Phase::smoothing:
        if (!narrow(gap)) phase_ = Phase::cutting;
        return phase_ == Phase::smoothing;
      case Phase::cutting:
        break;
    }
    return false;
  }

  /// Where smoothing is expensive, cuts come first, and go on for as long as they promise to be
  /// enough.
  bool cuts_are_cheaper(double gap) {
    if (smoothing_cost_ < kCheapSmoothing) return false;
    const double spent = kCutCost * report_.iterations;
    if (spent < 0.25 * smoothing_cost_) return true;
    // The first cuts gain more than later ones, so the last few are what counts.
    const std::size_t window = std::min<std::size_t>(5, report_.steps.size());
    const double fall = std::log(report_.steps[report_.steps.size() - window].gap / gap) /
                        static_cast<double>(window);
    const double left = std::log(gap / (options_.tolerance * best_->value));
    if (kCutCost * left < smoothing_cost_ * fall) return true;
    most_products_ = std::clamp(0.5 * kCutCost * left / fall, kLeastProducts, kMostProducts);
    return false;
  }

  /// At weights 0 only the first width has any curvature. After cuts one is wanted whose bound is
  /// better than theirs.
  void start_smoothing(double gap) {
    width_ = kFirstWidth;
    expected_gap_ = 0.1 * best_->value;
    gap_before_ = gap;
    if (report_.iterations == 0) return;
    width_ *= std::sqrt(gap / best_->value);
    expected_gap_ = 0.1 * gap;
    smoothing_ = objective_.smoothing(width_);
  }

  /// Chooses the next width: what a smoothing leaves of the gap falls with the square of it, as
  /// long as many pairs lie within. False when the last one did not help.
  bool narrow(double gap) {
    if (gap > kPoorFall * gap_before_) return false;
    const double ratio =
        std::clamp(std::sqrt(0.5 * options_.tolerance * best_->value / gap), 0.1, 0.5);
    width_ *= ratio;
    expected_gap_ = gap * ratio * ratio;
    gap_before_ = gap;
    smoothing_ = objective_.smoothing(width_);
    return true;
  }

  /// Whether smoothing has cost more than the cuts that it was meant to save.
  bool takes_too_many(const SolveReport& inner) const {
    return static_cast<double>(report_.products + inner.products) > most_products_;
  }

  /// Minimises the smooth objective by Newton's method and adds the plane that it leaves. Every
  /// Newton step is an iteration. Returns the share of the way to its minimum taken.
  double approach(const SolveStep& now) {
    NewtonOptions newton;
    newton.tolerance = std::max(kSmoothTolerance * expected_gap_ / best_->value, 1e-12);
    newton.max_iterations =
        std::min(kMostSmoothSteps, options_.max_iterations - report_.iterations);
    const int before = report_.iterations;
    const StopRequest stop = [&](const SolveReport& inner) {
      report_.iterations = before + inner.iterations;
      return is_stopped() || takes_too_many(inner);
    };
    objective_.forget(*best_);
    const SolveResult solved =
        minimise_newton(smoothing_->objective(), best_->weights, newton, stop, &memory_);
    report_.iterations = before + std::max(0, solved.report.iterations - 1);
    for (int k = before; k < report_.iterations; ++k) report_.steps.push_back(now);
    if (takes_too_many(solved.report)) phase_ = Phase::cutting;
    report_.products += solved.report.products;
    report_.hessians += solved.report.hessians;
    model_.add(*smoothing_->plane(solved.weights));
    auto point = objective_.at_alone(solved.weights);
    model_.add(*point);
    // On the way to a smooth minimum, our own objective may be far from its best.
    double t = 1;
    if (solved.report.termination != Termination::converged) t = search(*point, now.gap);
    if (t < 1) point = objective_.at(*best_, *point, t);
    if (point->value >= best_->value) return 0;
    best_ = std::move(point);
    return t;
  }

  /// Adds planes at the model's minimiser and near the best point towards it; returns the share of
  /// the way taken.
  double cut(double gap) {
    const auto minimiser = objective_.at(model_.minimiser());
    model_.add(*minimiser);
    const double t = search(*minimiser, gap);
    constexpr double kBeyond = 0.1;
    model_.add(*objective_.at(*best_, *minimiser, t + kBeyond * (1 - t)));
    if (t > 0) best_ = objective_.at(*best_, *minimiser, t);
    return t;
  }

  /// Where the objective is least on the segment to `end`, but for a small part of what is gained.
  double search(const NonsmoothObjective::Point& end, double gap) const {
    struct Trial {
      double t;
      LineValue line;
    };
    const auto look = [&](double t) { return Trial{t, objective_.between(*best_, end, t)}; };
    Trial low = look(0);
    Trial high = look(1);
    if (high.line.slope <= 0) return 1;
    if (low.line.slope >= 0) return 0;
    for (int iteration = 0; iteration < 40; ++iteration) {
      // Between tangents the function can be no lower than where they meet.
      const double meet =
          (low.line.value - high.line.value + high.line.slope * high.t - low.line.slope * low.t) /
          (high.line.slope - low.line.slope);
      const double bound = low.line.value + low.line.slope * (meet - low.t);
      const double least = std::min(low.line.value, high.line.value);
      const double gained = best_->value - least;
      if (least - bound <= std::max(0.05 * gained, 1e-4 * gap)) break;
      const double margin = 0.05 * (high.t - low.t);
      const Trial trial = look(std::clamp(meet, low.t + margin, high.t - margin));
      (trial.line.slope < 0 ? low : high) = trial;
    }
    return low.line.value <= high.line.value ? low.t : high.t;
  }

  const NonsmoothObjective& objective_;
  const CuttingPlaneOptions& options_;
  const StopRequest& stop_;
  PlaneModel model_;
  std::unique_ptr<NonsmoothObjective::Point> best_;
  enum class Phase { start, cutting_first, smoothing, cutting };
  Phase phase_ = Phase::start;
  std::unique_ptr<NonsmoothObjective::Smoothing> smoothing_;
  NewtonMemory memory_;                   // from one smoothing to the next
  double smoothing_cost_ = 0;             // of all of them, in passes over the data
  double most_products_ = kMostProducts;  // in all of them
  double width_ = 0;                      // of the last one
  double gap_before_ = 0;                 // the last smoothing
  double expected_gap_ = 0;               // after it
  int window_end_ = 0;                    // the iteration at which progress is checked again
  SolveReport report_;
  bool stopped_ = false;
};

}  // namespace

SolveResult minimise_cutting_plane(const NonsmoothObjective& objective,
                                   std::span<const double> start,
                                   const CuttingPlaneOptions& options, const StopRequest& stop) {
  return CuttingPlane(objective, options, stop).run(start);
}

}  // namespace rankine
