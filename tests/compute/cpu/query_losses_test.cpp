#include "compute/cpu/query_losses.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

TEST(QueryLosses, find_pairs_as_ranges_unless_documents_have_weights) {
  std::mt19937_64 random(1);
  const Dataset plain = oracles::random_dataset(random, {});
  const Dataset weighted = oracles::random_dataset(random, {.weighted = true});
  const QueryTable plain_table(plain, Normalisation::none, 1);
  const QueryTable weighted_table(weighted, Normalisation::none, 1);
  const QueryLosses by_ranges(plain_table, kLoss, 1);
  EXPECT_TRUE(by_ranges.has_ranges());
  EXPECT_FALSE(by_ranges.has_others());
  const QueryLosses by_loss(weighted_table, kLoss, 1);
  EXPECT_FALSE(by_loss.has_ranges());
  EXPECT_TRUE(by_loss.has_others());
}

TEST(QueryLosses, use_scores_and_order_of_a_point_where_it_has_them_and_find_the_same_otherwise) {
  std::mt19937_64 random(2);
  const Dataset data = oracles::random_dataset(random, {.weighted = true});
  const QueryTable table(data, Normalisation::query, 1);
  const QueryLosses losses(table, kLoss, 1);
  SweepPoint bare;
  bare.weights.assign(7, 0.3);
  SweepPoint full = bare;
  full.scores.resize(static_cast<std::size_t>(data.num_documents()));
  full.order.resize(full.scores.size());
  const FeatureRows features(data.features);
  for (const QueryTable::Query& query : table.queries()) {
    QueryScratch scratch;
    const QueryRows rows = features.rows(query.first, query.size);
    const auto scores = losses.scores(query, rows, bare, scratch);
    const auto order = losses.order(query, bare, scores, scratch);
    std::copy(scores.begin(), scores.end(), rows_of(full.scores, query).begin());
    std::copy(order.begin(), order.end(), rows_of(full.order, query).begin());
    std::vector<double> out(query.size);
    const double loss = losses.gradient(query, {scores, order}, {}, out);
    QueryScratch unused;
    const auto kept = losses.scores(query, rows, full, unused);
    std::vector<double> again(query.size);
    EXPECT_EQ(losses.gradient(query, {kept, losses.order(query, full, kept, unused)}, {}, again),
              loss);
    EXPECT_EQ(again, out);
    EXPECT_TRUE(unused.scores.empty());
    EXPECT_TRUE(unused.order.empty());
  }
}

}  // namespace
}  // namespace rankine
