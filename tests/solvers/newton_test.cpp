#include "solvers/newton.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/interruption.hpp"
#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "objectives/ranking_objective.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kSquaredHinge("squared_hinge", squared_hinge_pieces());
const PiecewiseQuadraticPairs kHuber("huber", huber_pieces());

/// Passes everything on, but states other prices, so that each strategy is taken.
class Priced final : public SmoothObjective {
 public:
  Priced(const SmoothObjective& inner, double price, double preconditioner_price, double share = 1)
      : inner_(inner), price_(price), preconditioner_price_(preconditioner_price), share_(share) {}
  std::int64_t size() const override { return inner_.size(); }
  const Penalty& penalty() const override { return inner_.penalty(); }
  std::unique_ptr<Point> at(std::span<const double> w) const override { return inner_.at(w); }
  void hessian_times(const Point& p, std::span<const double> v,
                     std::span<double> out) const override {
    inner_.hessian_times(p, v, out);
  }
  LineValue between(const Point& a, const Point& b, double t) const override {
    return inner_.between(a, b, t);
  }
  double enough_share() const override { return share_; }
  double hessian_cost(double) const override { return price_; }
  void hessian(const Point& p, double share, std::span<double> out) const override {
    inner_.hessian(p, share, out);
  }
  double preconditioner_cost(double) const override { return preconditioner_price_; }
  std::vector<float> preconditioner(double share) const override {
    return inner_.preconditioner(share);
  }

 private:
  const SmoothObjective& inner_;
  double price_;
  double preconditioner_price_;
  double share_;
};

struct Problem {
  explicit Problem(const QueryLoss& loss, double C)
      : data([] {
          std::mt19937_64 random(31);
          return oracles::random_dataset(random, {.queries = 60, .features = 9});
        }()),
        table(data, Normalisation::none, 1),
        sweep(data, table, loss, 1),
        objective(sweep, C) {}
  Dataset data;
  QueryTable table;
  CpuLossEvaluator sweep;
  RankingObjective objective;
};

TEST(Newton, finds_the_same_minimum_by_every_strategy) {
  for (const QueryLoss* loss : {&kSquaredHinge, &kHuber}) {
    for (const double C : {1e-4, 0.1, 100.0}) {
      const Problem problem(*loss, C);
      const std::vector<double> start(9);
      const NewtonOptions tight{.tolerance = 1e-12};
      const double infinite = std::numeric_limits<double>::infinity();
      std::vector<SolveResult> results;
      for (const auto& [hessian, preconditioner] :
           {std::pair(1.0, infinite), std::pair(infinite, 1.0), std::pair(infinite, infinite)}) {
        results.push_back(
            minimise_newton(Priced(problem.objective, hessian, preconditioner), start, tight));
      }
      EXPECT_GE(results[0].report.hessians, 1);
      EXPECT_EQ(results[0].report.products, 0);
      EXPECT_EQ(results[1].report.hessians, 1);
      EXPECT_EQ(results[2].report.hessians, 0);
      for (const SolveResult& result : results) {
        EXPECT_EQ(result.report.termination, Termination::converged);
        EXPECT_NEAR(result.report.objective, results[0].report.objective,
                    1e-9 * results[0].report.objective);
        EXPECT_LE(result.report.gap, 1e-6 * result.report.objective);
      }
    }
  }
}

TEST(Newton, finds_the_minimum_with_hessians_of_a_share_of_the_data) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double C : {1e-4, 0.1, 100.0}) {
    const Problem problem(kSquaredHinge, C);
    const std::vector<double> start(9);
    const double minimum =
        minimise_newton(problem.objective, start, {.tolerance = 1e-14}).report.objective;
    // One query in fifty is a poor guess, and the solver must find out.
    for (const double share : {0.5, 0.02}) {
      const SolveResult result =
          minimise_newton(Priced(problem.objective, 1, infinite, share), start, {});
      EXPECT_EQ(result.report.termination, Termination::converged);
      EXPECT_NEAR(result.report.objective, minimum, 1e-5 * minimum);
      EXPECT_EQ(result.report.products, 0);
    }
  }
}

TEST(Newton, takes_up_the_hessian_or_preconditioner_of_the_solve_before) {
  const Problem problem(kSquaredHinge, 0.5);
  const std::vector<double> start(9);
  const double none = std::numeric_limits<double>::infinity();
  for (const auto& [hessian, preconditioner] : {std::pair{0.1, none}, std::pair{none, 0.1}}) {
    const Priced priced(problem.objective, hessian, preconditioner);
    NewtonMemory memory;
    const auto first = minimise_newton(priced, start, {}, {}, &memory);
    const auto second = minimise_newton(priced, start, {}, {}, &memory);
    EXPECT_GT(first.report.hessians, second.report.hessians);
    EXPECT_NEAR(first.report.objective, second.report.objective, 1e-5 * first.report.objective);
  }
}

TEST(Newton, never_goes_up) {
  const Problem problem(kHuber, 1000);
  const SolveResult result =
      minimise_newton(problem.objective, std::vector<double>(9, 3.0), {.tolerance = 1e-12});
  for (std::size_t k = 1; k < result.report.steps.size(); ++k) {
    EXPECT_LT(result.report.steps[k].objective, result.report.steps[k - 1].objective);
  }
}

TEST(Newton, certified_gap_bounds_the_true_one) {
  const Problem problem(kSquaredHinge, 0.05);
  const std::vector<double> start(9);
  const double minimum =
      minimise_newton(problem.objective, start, {.tolerance = 1e-14}).report.objective;
  for (const int limit : {1, 2}) {
    const auto report =
        minimise_newton(problem.objective, start, {.tolerance = 0, .max_iterations = limit}).report;
    EXPECT_EQ(report.termination, Termination::iteration_limit);
    EXPECT_LE(report.objective - minimum, report.gap + 1e-9);
  }
}

TEST(Newton, stops_by_the_gradient_when_asked) {
  const Problem problem(kSquaredHinge, 0.05);
  const auto result = minimise_newton(problem.objective, std::vector<double>(9),
                                      {.tolerance = 1e-3, .stopping = Stopping::gradient});
  const auto first = problem.objective.at(std::vector<double>(9));
  const auto last = problem.objective.at(result.weights);
  const auto norm = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
  };
  EXPECT_EQ(result.report.termination, Termination::converged);
  EXPECT_LE(norm(last->gradient), 1e-3 * norm(first->gradient));
}

TEST(Newton, ends_with_its_best_weights_when_told_to_stop) {
  const Problem problem(kSquaredHinge, 10);
  const auto result =
      minimise_newton(problem.objective, std::vector<double>(9), {.tolerance = 0},
                      [](const SolveReport& report) { return report.iterations == 1; });
  EXPECT_EQ(result.report.termination, Termination::interrupted);
  EXPECT_EQ(result.report.objective, problem.objective.at(result.weights)->value);
  EXPECT_LT(result.report.objective, problem.objective.at(std::vector<double>(9))->value);
}

TEST(Newton, needs_no_step_from_the_minimum) {
  const Problem problem(kSquaredHinge, 0.1);
  const auto first =
      minimise_newton(problem.objective, std::vector<double>(9), {.tolerance = 1e-13});
  const auto again = minimise_newton(problem.objective, first.weights, {});
  EXPECT_LE(again.report.iterations, 1);
}

/// Is interrupted when it is asked for a point for the `calls`-th time.
class InterruptedObjective final : public SmoothObjective {
 public:
  InterruptedObjective(const SmoothObjective& inner, int calls) : inner_(inner), left_(calls) {}
  std::int64_t size() const override { return inner_.size(); }
  const Penalty& penalty() const override { return inner_.penalty(); }
  std::unique_ptr<Point> at(std::span<const double> w) const override {
    if (--left_ == 0) throw Interrupted{};
    return inner_.at(w);
  }
  void hessian_times(const Point& p, std::span<const double> v,
                     std::span<double> out) const override {
    inner_.hessian_times(p, v, out);
  }
  LineValue between(const Point& a, const Point& b, double t) const override {
    return inner_.between(a, b, t);
  }
  double hessian_cost(double share) const override { return inner_.hessian_cost(share); }
  void hessian(const Point& p, double share, std::span<double> out) const override {
    inner_.hessian(p, share, out);
  }
  double preconditioner_cost(double share) const override {
    return inner_.preconditioner_cost(share);
  }
  std::vector<float> preconditioner(double share) const override {
    return inner_.preconditioner(share);
  }

 private:
  const SmoothObjective& inner_;
  mutable int left_;
};

TEST(Newton, an_interruption_in_the_middle_of_an_iteration_keeps_the_best_weights_so_far) {
  const Problem problem(kSquaredHinge, 10);
  const std::vector<double> start(9);
  const auto whole = minimise_newton(problem.objective, start, {});
  ASSERT_GE(whole.report.iterations, 3);
  const auto ended = minimise_newton(InterruptedObjective(problem.objective, 3), start, {});
  EXPECT_EQ(ended.report.termination, Termination::interrupted);
  EXPECT_EQ(ended.report.iterations, 1);
  EXPECT_LT(ended.report.objective, problem.objective.at(start)->value);
  EXPECT_EQ(ended.report.objective, problem.objective.at(ended.weights)->value);
  EXPECT_THROW(minimise_newton(InterruptedObjective(problem.objective, 1), start, {}), Interrupted);
}

}  // namespace
}  // namespace rankine
