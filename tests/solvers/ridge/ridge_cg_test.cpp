#include "solvers/ridge/ridge_cg.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/squared_error_pairs.hpp"
#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

class RidgeCgTest : public testing::Test {
 protected:
  Dataset make() {
    std::mt19937_64 random(5);
    return oracles::random_dataset(random, {.queries = 15, .weighted = true});
  }
  Dataset data_ = make();
  QueryTable table_{data_, Normalisation::query, 1, PairGraph::all};
  SquaredErrorPairs loss_{PairGraph::all};
  CpuLossEvaluator sweep_{data_, table_, loss_, 1};
};

TEST_F(RidgeCgTest, equals_a_dense_solve_on_scaled_columns) {
  const std::vector<double> factors{1, 0.1, 3, 1, 1, 2, 1};
  const oracles::DenseRls oracle(data_, table_, PairGraph::all, factors);
  const std::vector<double> alphas{0.01, 1};
  const auto result = solve_ridge_cg(sweep_, ColumnScale(factors), alphas, 1e-13, 1000);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(result.reports[k].termination, Termination::converged);
    EXPECT_GT(result.reports[k].products, 0);
    const auto expected = oracle.primal(alphas[k]);
    for (std::size_t f = 0; f < 7; ++f) {
      EXPECT_NEAR(result.solutions[k].weights[f], expected[f], 1e-9);
    }
  }
}

TEST_F(RidgeCgTest, has_a_gap_that_bounds_the_distance_to_the_minimum) {
  const std::vector<double> alphas{0.5};
  const auto best = solve_ridge_cg(sweep_, {}, alphas, 1e-13, 1000);
  for (const int most : {1, 2, 3}) {
    const auto early = solve_ridge_cg(sweep_, {}, alphas, 1e-13, most);
    EXPECT_EQ(early.reports[0].termination, Termination::iteration_limit);
    EXPECT_GE(early.reports[0].gap,
              early.solutions[0].objective - best.solutions[0].objective - 1e-12);
  }
}

TEST_F(RidgeCgTest, stops_when_asked) {
  const std::vector<double> alphas{0.5};
  const auto result =
      solve_ridge_cg(sweep_, {}, alphas, 1e-13, 1000, [](const SolveReport&) { return true; });
  EXPECT_EQ(result.reports[0].termination, Termination::interrupted);
}

}  // namespace
}  // namespace rankine
