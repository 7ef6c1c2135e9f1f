#include "compute/cpu/sampled_hessian.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/query_sweep.hpp"
#include "losses/pairs/hinge_pairs.hpp"
#include "oracles/hessian_by_products.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

constexpr std::size_t kWidth = 7;

struct Problem {
  Problem(const oracles::RandomDatasetShape& shape, std::vector<QuadraticPiece> pieces)
      : data([&] {
          std::mt19937_64 random(13);
          return oracles::random_dataset(random, shape);
        }()),
        table(data, Normalisation::none, 1),
        loss("loss", std::move(pieces)),
        sweep(data, table, loss, 2) {
    for (std::size_t f = 0; f < kWidth; ++f)
      weights.push_back(0.3 * std::sin(1.0 + static_cast<double>(f)));
    std::vector<double> gradient(kWidth);
    sweep.gradient(weights, point, gradient);
  }
  std::vector<double> hessian(double share, int threads) const {
    std::vector<double> matrix(kWidth * kWidth);
    sampled_hessian(FeatureRows(data.features), table, loss, weights, share, threads, matrix);
    return matrix;
  }
  Dataset data;
  QueryTable table;
  PiecewiseQuadraticPairs loss;
  QuerySweep sweep;
  std::vector<double> weights;
  QuerySweep::Point point;
};

double relative_error(const std::vector<double>& got, const std::vector<double>& expected) {
  double difference = 0;
  double size = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    difference += (got[k] - expected[k]) * (got[k] - expected[k]);
    size += expected[k] * expected[k];
  }
  return std::sqrt(difference / size);
}

TEST(SampledHessian, of_all_queries_agrees_with_products) {
  for (const auto& pieces : {squared_hinge_pieces(), huber_pieces()}) {
    for (const bool weighted : {false, true}) {
      const Problem problem({.queries = 30, .weighted = weighted}, pieces);
      const auto matrix = problem.hessian(1, 2);
      const auto expected = oracles::hessian_by_products(problem.sweep, problem.point);
      for (std::size_t row = 0; row < kWidth; ++row) {
        for (std::size_t column = 0; column < kWidth; ++column) {
          const std::size_t entry = row * kWidth + column;
          EXPECT_NEAR(matrix[entry], expected[entry], 1e-5 * matrix[row * (kWidth + 1)]);
        }
      }
    }
  }
}

TEST(SampledHessian, of_a_share_is_about_that_of_all) {
  const Problem problem({.queries = 3000}, squared_hinge_pieces());
  const double error = relative_error(problem.hessian(0.25, 2), problem.hessian(1, 2));
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.1);
}

TEST(SampledHessian, of_a_long_query_is_about_that_of_all_its_documents) {
  for (const bool weighted : {false, true}) {
    const Problem problem({.queries = 2, .most_documents = 400'000, .weighted = weighted},
                          squared_hinge_pieces());
    ASSERT_GT(problem.table.queries()[0].size, 120'000);
    const auto sampled = problem.hessian(0.3, 2);
    EXPECT_EQ(sampled, problem.hessian(0.3, 1));
    const double error =
        relative_error(sampled, oracles::hessian_by_products(problem.sweep, problem.point));
    EXPECT_GT(error, 1e-5);  // all of it would be nearer
    EXPECT_LT(error, 0.02);
  }
}

TEST(SampledHessian, has_the_same_bits_for_any_number_of_threads) {
  const Problem problem({.queries = 200}, squared_hinge_pieces());
  for (const double share : {0.3, 1.0}) {
    const auto expected = problem.hessian(share, 1);
    for (const int threads : {2, 5, 16}) EXPECT_EQ(problem.hessian(share, threads), expected);
  }
}

TEST(SampledHessian, is_for_sums_of_squared_hinges_and_few_grades) {
  const PiecewiseQuadraticPairs loss("squared_hinge", squared_hinge_pieces());
  EXPECT_TRUE(has_sampled_hessian(loss, 8));
  EXPECT_FALSE(has_sampled_hessian(loss, 9));
  EXPECT_FALSE(has_sampled_hessian(HingePairs(), 2));
  EXPECT_FALSE(has_sampled_hessian(
      PiecewiseQuadraticPairs("weighted", squared_hinge_pieces(), PairWeighting::grade_difference),
      2));
}

}  // namespace
}  // namespace rankine
