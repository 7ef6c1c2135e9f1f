#include "compute/cpu/score_sweep.hpp"

#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

std::vector<double> some_scores(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> scores(size);
  for (double& score : scores) score = normal(random);
  return scores;
}

TEST(ScoreSweep, has_the_documents_of_queries_with_pairs_and_their_derivatives) {
  std::mt19937_64 random(8);
  const Dataset data = oracles::random_dataset(random, {.queries = 50, .weighted = true});
  const QueryTable table(data, Normalisation::query, 1);
  ASSERT_LT(table.queries().size(), 50U);
  const ScoreSweep sweep(table, kLoss, 2);
  EXPECT_LT(sweep.num_documents(), static_cast<std::size_t>(data.num_documents()));
  const auto scores = some_scores(sweep.num_documents(), 1);
  const auto direction = some_scores(sweep.num_documents(), 2);
  const ScoreSweep::Point point = sweep.at(scores);
  std::vector<double> product(scores.size());
  sweep.hessian_times(point, direction, product);
  constexpr double kStep = 1e-6;
  std::vector<double> ahead(scores);
  std::vector<double> behind(scores);
  double slope = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    ahead[k] += kStep * direction[k];
    behind[k] -= kStep * direction[k];
    slope += point.slopes[k] * direction[k];
  }
  const ScoreSweep::Point after = sweep.at(ahead);
  const ScoreSweep::Point before = sweep.at(behind);
  EXPECT_NEAR((after.loss - before.loss) / (2 * kStep), slope, 1e-5 * (1 + std::abs(slope)));
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_NEAR((after.slopes[k] - before.slopes[k]) / (2 * kStep), product[k], 1e-4);
  }
}

TEST(ScoreSweep, gives_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(9);
  const Dataset data = oracles::random_dataset(random, {.queries = 90});
  const QueryTable table(data, Normalisation::none, 1);
  const ScoreSweep one(table, kLoss, 1);
  const ScoreSweep many(table, kLoss, 7);
  const auto scores = some_scores(one.num_documents(), 3);
  EXPECT_EQ(one.at(scores).loss, many.at(scores).loss);
  EXPECT_EQ(one.at(scores).slopes, many.at(scores).slopes);
}

}  // namespace
}  // namespace rankine
