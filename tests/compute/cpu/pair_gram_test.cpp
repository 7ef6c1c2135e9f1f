#include "compute/cpu/pair_gram.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/query_sweep.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/hessian_by_products.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

/// The Hessian at weights 0.
std::vector<double> by_products(const QuerySweep& sweep, std::size_t width) {
  QuerySweep::Point point;
  std::vector<double> gradient(width);
  sweep.gradient(std::vector<double>(width), point, gradient);
  return oracles::hessian_by_products(sweep, point);
}

TEST(PairGram, is_the_hessian_at_0_with_grades_and_weights_of_any_kind) {
  std::mt19937_64 random(5);
  for (const int levels : {0, 2, 3}) {
    for (const bool weighted : {false, true}) {
      const Dataset data = oracles::random_dataset(
          random, {.queries = 40, .features = 6, .levels = levels, .weighted = weighted});
      for (const Normalisation normalisation : {Normalisation::none, Normalisation::query}) {
        const QueryTable table(data, normalisation, 1);
        const auto expected = by_products(QuerySweep(data, table, kLoss, 1), 6);
        const auto gram = pair_gram(FeatureRows(data.features), table, kLoss, 1, 2);
        for (std::size_t row = 0; row < 6; ++row) {
          for (std::size_t column = 0; column <= row; ++column) {
            EXPECT_NEAR(static_cast<double>(gram[row * 6 + column]), expected[row * 6 + column],
                        1e-4 * expected[row * 7]);
          }
        }
      }
    }
  }
}

TEST(PairGram, is_the_hessian_at_0_where_all_documents_of_a_grade_weigh_nothing) {
  std::mt19937_64 random(15);
  Dataset data = oracles::random_dataset(random, {.queries = 40, .features = 6, .levels = 0});
  std::vector<double> weights;
  for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) {
    weights.push_back(doc % 3 == 0 ? 0.0 : 1.5);
  }
  data.document_weights = std::move(weights);
  const QueryTable table(data, Normalisation::none, 1);
  const auto expected = by_products(QuerySweep(data, table, kLoss, 1), 6);
  const auto gram = pair_gram(FeatureRows(data.features), table, kLoss, 1, 2);
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_NEAR(static_cast<double>(gram[row * 7]), expected[row * 7], 1e-4 * expected[row * 7]);
  }
}

TEST(PairGram, from_a_share_of_the_queries_is_near_the_whole) {
  std::mt19937_64 random(6);
  const Dataset data = oracles::random_dataset(random, {.queries = 800, .features = 5});
  const QueryTable table(data, Normalisation::query, 1);
  const auto whole = pair_gram(FeatureRows(data.features), table, kLoss, 1, 1);
  const auto part = pair_gram(FeatureRows(data.features), table, kLoss, 0.25, 1);
  for (std::size_t k = 0; k < 5; ++k) {
    const auto entry = static_cast<double>(whole[k * 6]);
    EXPECT_NEAR(static_cast<double>(part[k * 6]), entry, 0.2 * entry);
  }
}

TEST(PairGram, of_a_long_query_with_real_grades_is_near_that_of_all_its_documents) {
  std::mt19937_64 random(13);
  const Dataset data = oracles::random_dataset(
      random, {.queries = 2, .most_documents = 300'000, .features = 6, .levels = 0});
  const QueryTable table(data, Normalisation::query, 1);
  ASSERT_GT(table.queries()[0].size + table.queries()[1].size, 150'000);
  const auto expected = by_products(QuerySweep(data, table, kLoss, 1), 6);
  const auto gram = pair_gram(FeatureRows(data.features), table, kLoss, 0.3, 2);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      EXPECT_NEAR(static_cast<double>(gram[row * 6 + column]), expected[row * 6 + column],
                  0.02 * expected[row * 7]);
    }
  }
}

TEST(PairGram, has_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(7);
  const Dataset data = oracles::random_dataset(random, {.queries = 100, .features = 11});
  const QueryTable table(data, Normalisation::none, 1);
  const auto one = pair_gram(FeatureRows(data.features), table, kLoss, 1, 1);
  EXPECT_EQ(pair_gram(FeatureRows(data.features), table, kLoss, 1, 4), one);
}

}  // namespace
}  // namespace rankine
