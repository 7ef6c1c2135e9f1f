#include "solvers/ridge/ridge_path.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/dense_rls.hpp"

namespace rankine {
namespace {

constexpr std::size_t kWidth = 6;

GramSums random_sums(std::size_t rows) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values(rows * kWidth);
  std::vector<double> targets(rows);
  for (double& value : values) value = normal(random);
  for (double& value : targets) value = normal(random);
  GramSums sums(kWidth);
  sums.add(values.data(), targets);
  return sums;
}

TEST(RidgePath, equals_elimination_for_one_alpha_and_for_many) {
  const GramSums sums = random_sums(20);
  const std::vector<double> alphas{0.01, 1, 100};
  const auto path = solve_ridge(sums, alphas);
  for (std::size_t k = 0; k < alphas.size(); ++k) {
    std::vector<double> matrix(sums.gram);
    make_symmetric(matrix, kWidth);
    for (std::size_t f = 0; f < kWidth; ++f) matrix[f * kWidth + f] += alphas[k];
    const auto expected = oracles::eliminate(matrix, sums.slope);
    const auto one = solve_ridge(sums, std::span(alphas).subspan(k, 1));
    EXPECT_FALSE(path[k].singular);
    EXPECT_NEAR(one[0].objective, path[k].objective, 1e-10);
    for (std::size_t f = 0; f < kWidth; ++f) {
      EXPECT_NEAR(path[k].weights[f], expected[f], 1e-12);
      EXPECT_NEAR(one[0].weights[f], expected[f], 1e-12);
    }
  }
}

TEST(RidgePath, without_penalty_tells_a_singular_system_and_takes_the_smallest_solution) {
  EXPECT_FALSE(solve_ridge(random_sums(20), std::vector<double>{0})[0].singular);
  const GramSums sums = random_sums(3);
  const auto path = solve_ridge(sums, std::vector<double>{0, 1e-9});
  EXPECT_TRUE(path[0].singular);
  EXPECT_FALSE(path[1].singular);
  EXPECT_NEAR(path[0].objective, 0, 1e-10);
  for (std::size_t f = 0; f < kWidth; ++f) {
    EXPECT_NEAR(path[0].weights[f], path[1].weights[f], 1e-5);
  }
}

TEST(SolveShifted, falls_back_where_rounding_leaves_no_factor) {
  std::vector<double> b{1, 1};
  EXPECT_FALSE(solve_shifted({1e20, 1e20, 1e20, 1e20}, 1e-9, b));
  EXPECT_NEAR(b[0], 0.5e-20, 1e-30);
  EXPECT_NEAR(b[1], 0.5e-20, 1e-30);
}

}  // namespace
}  // namespace rankine
