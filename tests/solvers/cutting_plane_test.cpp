#include "solvers/cutting_plane.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/hinge_pairs.hpp"
#include "objectives/nonsmooth_ranking_objective.hpp"
#include "oracles/hinge_dual.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const HingePairs kHinge;

struct Problem {
  explicit Problem(double C, oracles::RandomDatasetShape shape = {}, int threads = 1)
      : data([&] {
          std::mt19937_64 random(31);
          return oracles::random_dataset(random, shape);
        }()),
        table(data, Normalisation::none, 1),
        sweep(data, table, kHinge, threads),
        objective(sweep, C) {}
  Dataset data;
  QueryTable table;
  CpuLossEvaluator sweep;
  NonsmoothRankingObjective objective;
};

const std::vector<double> kStart(7);

/// The same problem without smooth ones below it: cutting does all the work.
class OnlyCuts final : public NonsmoothObjective {
 public:
  explicit OnlyCuts(const NonsmoothObjective& inner) : inner_(inner) {}
  std::int64_t size() const override { return inner_.size(); }
  const Penalty& penalty() const override { return inner_.penalty(); }
  std::unique_ptr<Point> at(std::span<const double> weights) const override {
    return inner_.at(weights);
  }
  std::unique_ptr<Point> at(const Point& a, const Point& b, double t) const override {
    return inner_.at(a, b, t);
  }
  LineValue between(const Point& a, const Point& b, double t) const override {
    return inner_.between(a, b, t);
  }

 private:
  const NonsmoothObjective& inner_;
};

TEST(CuttingPlane, finds_the_minimum_of_the_dual_over_listed_pairs) {
  for (const double C : {1e-3, 0.1, 3.0}) {
    const Problem problem(C, {.queries = 8, .most_documents = 12, .weighted = true});
    const auto exact = oracles::solve_hinge_dual(problem.data, problem.table, C, 3000);
    const OnlyCuts only_cuts(problem.objective);
    for (const NonsmoothObjective* objective :
         {static_cast<const NonsmoothObjective*>(&problem.objective),
          static_cast<const NonsmoothObjective*>(&only_cuts)}) {
      const auto result = minimise_cutting_plane(*objective, kStart, {.tolerance = 1e-6});
      EXPECT_EQ(result.report.termination, Termination::converged);
      EXPECT_LE(result.report.objective, exact.primal * (1 + 2e-6));
      EXPECT_GE(result.report.objective, exact.dual * (1 - 1e-9));
      EXPECT_LE(result.report.objective - result.report.gap, exact.primal * (1 + 1e-9));
      EXPECT_NEAR(objective->at(result.weights)->value, result.report.objective,
                  1e-9 * result.report.objective);
    }
  }
}

TEST(CuttingPlane, ends_at_the_minimum_where_no_width_has_many_pairs) {
  const Problem problem(100, {.queries = 1, .most_documents = 3});
  const auto report = minimise_cutting_plane(problem.objective, kStart, {.tolerance = 1e-9}).report;
  EXPECT_EQ(report.termination, Termination::converged);
  EXPECT_LE(report.gap, 1e-9 * report.objective);
}

TEST(CuttingPlane, bounds_stay_below_the_minimum_where_scores_are_far_from_zero) {
  for (const int levels : {0, 3}) {
    for (const bool weighted : {false, true}) {
      for (const double C : {0.1, 1e4}) {
        const Problem problem(C, {.queries = 4,
                                  .most_documents = 8,
                                  .levels = levels,
                                  .weighted = weighted,
                                  .offset = 1e4});
        const auto exact = oracles::solve_hinge_dual(problem.data, problem.table, C, 20'000);
        const auto report =
            minimise_cutting_plane(problem.objective, kStart, {.tolerance = 1e-8}).report;
        EXPECT_LE(report.objective - report.gap, exact.primal * (1 + 1e-9));
      }
    }
  }
}

TEST(CuttingPlane, cuts_from_the_first_iteration_where_nothing_can_be_smoothed) {
  const Problem problem(1);
  const auto report =
      minimise_cutting_plane(OnlyCuts(problem.objective), kStart, {.max_iterations = 1}).report;
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LT(report.objective, problem.objective.at(kStart)->value);
}

TEST(CuttingPlane, keeps_its_limit_and_lists_every_iteration) {
  const Problem problem(10, {.queries = 60});
  const double at_start = problem.objective.at(kStart)->value;
  for (int most = 1; most < 12; ++most) {
    const auto report =
        minimise_cutting_plane(problem.objective, kStart, {.tolerance = 0, .max_iterations = most})
            .report;
    EXPECT_EQ(report.iterations, most);
    EXPECT_EQ(report.steps.size(), static_cast<std::size_t>(most));
    EXPECT_LT(report.objective, at_start);
  }
}

TEST(CuttingPlane, certified_gap_bounds_the_true_one_at_every_iteration) {
  const Problem problem(0.5, {.queries = 30});
  const double minimum =
      minimise_cutting_plane(problem.objective, kStart, {.tolerance = 1e-8}).report.objective;
  for (const auto& report :
       {minimise_cutting_plane(problem.objective, kStart, {.tolerance = 1e-4}).report,
        minimise_cutting_plane(OnlyCuts(problem.objective), kStart, {.tolerance = 1e-4}).report}) {
    ASSERT_GT(report.steps.size(), 2U);
    for (const SolveStep& step : report.steps) {
      EXPECT_LE(step.objective - minimum, step.gap + 1e-7 * minimum);
    }
    EXPECT_LE(report.gap, 1e-4 * report.objective);
  }
}

TEST(CuttingPlane, never_goes_up) {
  const Problem problem(10);
  const auto report = minimise_cutting_plane(problem.objective, kStart, {.tolerance = 1e-4}).report;
  for (std::size_t k = 1; k < report.steps.size(); ++k) {
    EXPECT_LE(report.steps[k].objective, report.steps[k - 1].objective * (1 + 1e-12));
  }
}

TEST(CuttingPlane, gives_the_same_bits_for_any_number_of_threads) {
  const oracles::RandomDatasetShape shape{.queries = 200, .most_documents = 40};
  const auto one = minimise_cutting_plane(Problem(0.1, shape, 1).objective, kStart, {});
  for (const int threads : {2, 7}) {
    const auto other = minimise_cutting_plane(Problem(0.1, shape, threads).objective, kStart, {});
    EXPECT_EQ(one.weights, other.weights);
    EXPECT_EQ(one.report.gap, other.report.gap);
  }
}

TEST(CuttingPlane, ends_with_its_best_weights_at_the_limit_and_when_told_to_stop) {
  const Problem problem(1);
  const auto limited =
      minimise_cutting_plane(problem.objective, kStart, {.tolerance = 0, .max_iterations = 3});
  EXPECT_EQ(limited.report.termination, Termination::iteration_limit);
  const auto stopped =
      minimise_cutting_plane(problem.objective, kStart, {.tolerance = 0},
                             [](const SolveReport& report) { return report.iterations == 2; });
  EXPECT_EQ(stopped.report.termination, Termination::interrupted);
  EXPECT_LT(stopped.report.objective, problem.objective.at(kStart)->value);
}

TEST(CuttingPlane, asked_for_a_perfect_solution_ends_when_rounding_allows_no_more) {
  const Problem problem(0.1, {.queries = 6, .most_documents = 8});
  const auto report =
      minimise_cutting_plane(problem.objective, kStart, {.tolerance = 0, .max_iterations = 5000})
          .report;
  EXPECT_NE(report.termination, Termination::iteration_limit);
  EXPECT_LE(report.gap, 1e-6 * report.objective);
}

TEST(CuttingPlane, a_problem_without_pairs_has_the_answer_zero) {
  const Problem problem(1, {.queries = 3, .levels = 1});
  const auto result = minimise_cutting_plane(problem.objective, std::vector<double>(7, 1.0), {});
  EXPECT_EQ(result.report.termination, Termination::converged);
  EXPECT_EQ(result.weights, kStart);
}

}  // namespace
}  // namespace rankine
