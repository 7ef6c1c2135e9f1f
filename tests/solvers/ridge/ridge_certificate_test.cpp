#include "solvers/ridge/ridge_certificate.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

/// Rows scaled by powers of ten, so that the system is as ill-conditioned as asked for.
class RidgeCertificateTest : public testing::Test {
 protected:
  static ColumnScale spread(double decades) {
    std::vector<double> factors;
    for (int f = 0; f < 7; ++f) factors.push_back(std::pow(10.0, decades * f / 6));
    return ColumnScale(factors);
  }
  Dataset make() {
    std::mt19937_64 random(5);
    return oracles::random_dataset(random, {.queries = 15, .weighted = true});
  }
  Dataset data_ = make();
  QueryTable table_{data_, Normalisation::none, 1, PairGraph::all};
};

TEST_F(RidgeCertificateTest, bounds_what_any_weights_lack_from_rows_and_from_sums) {
  const RankingRows rows(FeatureRows(data_.features), table_, PairGraph::all, spread(3));
  const GramSums sums = normal_equations(rows, 1);
  const std::vector<double> alphas{0.01, 1, 100};
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (const RidgeSolution& best : solve_ridge(sums, alphas)) {
    EXPECT_LE(best.gap, 1e-9 * best.objective);
    for (const double step : {1e-6, 1e-3, 1.0}) {
      RidgeSolution other(best);
      for (double& weight : other.weights) weight += step * normal(random);
      RidgeSolution by_rows(other);
      std::vector<double> half;
      certify(sums, other.alpha, other);
      certify(rows, by_rows, half);
      EXPECT_NEAR(by_rows.objective, other.objective, 1e-9 * other.objective);
      EXPECT_GE(other.gap, other.objective - best.objective);
      EXPECT_GE(by_rows.gap, by_rows.objective - best.objective);
    }
  }
}

TEST_F(RidgeCertificateTest, refines_weights_until_only_rounding_is_left) {
  const RankingRows rows(FeatureRows(data_.features), table_, PairGraph::all, spread(5));
  const GramSums sums = normal_equations(rows, 1);
  RidgeSolution solution = solve_ridge(sums, std::vector<double>{1e-3}).front();
  const double objective = solution.objective;
  for (double& weight : solution.weights) weight *= 1.01;
  std::vector<double> half;
  certify(rows, solution, half);
  EXPECT_GT(solution.gap, solution.objective - objective);
  EXPECT_GT(solution.objective, objective);
  refine(rows, 1, solution);
  EXPECT_LE(solution.gap, 1e-9 * objective);
  EXPECT_NEAR(solution.objective, objective, 1e-9 * objective);
}

TEST_F(RidgeCertificateTest, says_nothing_of_a_system_without_curvature) {
  const RankingRows rows(FeatureRows(data_.features), table_, PairGraph::all, {});
  RidgeSolution solution{0, std::vector<double>(7), 0, false};
  std::vector<double> half;
  certify(rows, solution, half);
  EXPECT_EQ(solution.gap, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace rankine
