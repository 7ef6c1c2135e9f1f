#include "solvers/newton_path.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "objectives/ranking_objective.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

struct PathProblem {
  explicit PathProblem(std::int64_t features, bool sparse = false)
      : data([&] {
          std::mt19937_64 random(41);
          const auto dense = oracles::random_dataset(
              random, {.queries = features > 60 ? 60 : 150, .features = features});
          return sparse ? oracles::as_sparse(dense) : dense;
        }()),
        table(data, Normalisation::none, 1),
        sweep(data, table, kLoss, 1) {
    for (int exponent = -10; exponent <= 2; exponent += 3)
      values.push_back(std::ldexp(1.0, exponent));
  }
  Dataset data;
  QueryTable table;
  CpuLossEvaluator sweep;
  std::vector<double> values;
};

/// 9 columns go one after the other, 64 together with preconditioners, sparse ones without.
void expect_minima(const PathProblem& problem) {
  const NewtonOptions tight{.tolerance = 1e-11};
  const RankingPath path(problem.sweep, problem.values);
  const auto results = minimise_newton_path(path, tight);
  ASSERT_EQ(results.size(), problem.values.size());
  for (std::size_t k = 0; k < results.size(); ++k) {
    const RankingObjective alone(problem.sweep, problem.values[k]);
    const auto expected =
        minimise_newton(alone, std::vector<double>(static_cast<std::size_t>(alone.size())), tight);
    EXPECT_EQ(results[k].report.termination, Termination::converged);
    EXPECT_NEAR(results[k].report.objective, expected.report.objective,
                1e-9 * expected.report.objective);
  }
}

TEST(NewtonPath, one_after_the_other_finds_every_minimum) {
  expect_minima(PathProblem(9));
}
TEST(NewtonPath, together_finds_every_minimum) {
  expect_minima(PathProblem(64));
}
TEST(NewtonPath, sparse_data_finds_every_minimum) {
  expect_minima(PathProblem(30, true));
}

TEST(NewtonPath, of_no_values_has_no_results) {
  const PathProblem problem(9);
  EXPECT_TRUE(minimise_newton_path(RankingPath(problem.sweep, {}), {}).empty());
}

TEST(NewtonPath, tells_the_exact_objective_wherever_it_ends) {
  const PathProblem problem(64);
  for (const int limit : {0, 1, 2}) {
    const auto results =
        minimise_newton_path(RankingPath(problem.sweep, problem.values), {.max_iterations = limit});
    for (std::size_t k = 0; k < results.size(); ++k) {
      const auto point = RankingObjective(problem.sweep, problem.values[k]).at(results[k].weights);
      EXPECT_NEAR(results[k].report.objective, point->value, 1e-13 * point->value);
    }
  }
}

TEST(NewtonPath, ends_with_usable_weights_when_told_to_stop) {
  for (const std::int64_t features : {9, 64}) {
    const PathProblem problem(features);
    const auto results = minimise_newton_path(RankingPath(problem.sweep, problem.values), {},
                                              [](const SolveReport&) { return true; });
    ASSERT_EQ(results.size(), problem.values.size());
    for (const SolveResult& result : results) {
      EXPECT_EQ(result.report.termination, Termination::interrupted);
      EXPECT_EQ(result.weights.size(), static_cast<std::size_t>(features));
    }
  }
}

}  // namespace
}  // namespace rankine
