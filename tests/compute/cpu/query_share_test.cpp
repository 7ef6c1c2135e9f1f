#include "compute/cpu/query_share.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(QueryShare, is_as_many_queries_as_asked_for_from_all_over_the_table) {
  std::mt19937_64 random(3);
  const Dataset data = oracles::random_dataset(random, {.queries = 500});
  const QueryTable table(data, Normalisation::none, 1);
  const std::size_t all = table.queries().size();
  for (const double share : {0.02, 0.1, 0.37, 0.9}) {
    const QueryShare chosen = share_of_queries(table, share);
    EXPECT_NEAR(static_cast<double>(chosen.queries.size()), share * static_cast<double>(all), 1);
    const auto widest = static_cast<std::size_t>(1 / share) + 1;
    for (std::size_t k = 1; k < chosen.queries.size(); ++k) {
      EXPECT_GT(chosen.queries[k].query, chosen.queries[k - 1].query);
      EXPECT_LE(chosen.queries[k].query - chosen.queries[k - 1].query, widest + 1);
    }
    EXPECT_GE(chosen.queries.back().query + widest + 1, all);
  }
  const QueryShare whole = share_of_queries(table, 1);
  EXPECT_EQ(whole.queries.size(), all);
  for (const auto& each : whole.queries) EXPECT_EQ(each.scale, 1);
  const QueryShare least = share_of_queries(table, 1e-9);
  ASSERT_EQ(least.queries.size(), 1U);
  EXPECT_EQ(least.queries[0].query, 0U);
}

TEST(QueryShare, is_scaled_to_the_pairs_and_factors_of_all) {
  std::mt19937_64 random(5);
  for (const bool has_large : {false, true}) {
    Dataset data = oracles::random_dataset(random, {.queries = 300, .weighted = true});
    if (has_large) {
      std::vector<double> weights(data.query_weights.begin(), data.query_weights.end());
      weights[150] = 1e4;
      data.query_weights = std::move(weights);
    }
    const QueryTable table(data, Normalisation::query, 1);
    double total = 0;
    for (const auto& query : table.queries()) total += query.factor * query.num_pairs;
    double counted = 0;
    bool stands_for_itself = false;
    for (const auto& each : share_of_queries(table, 0.2).queries) {
      const auto& query = table.queries()[each.query];
      counted += each.scale * query.factor * query.num_pairs;
      stands_for_itself = stands_for_itself || each.scale == 1;
    }
    EXPECT_NEAR(counted, total, 1e-9 * total);
    EXPECT_EQ(stands_for_itself, has_large);
  }
}

TEST(QueryShare, has_every_long_query_as_samples_until_most_of_it_is_asked_for) {
  std::mt19937_64 random(7);
  const Dataset data = oracles::random_dataset(random, {.queries = 4, .most_documents = 400'000});
  const QueryTable table(data, Normalisation::none, 1);
  ASSERT_EQ(num_short_queries(table), 0U);
  for (const double share : {0.01, 0.4, 0.6, 1.0}) {
    std::vector<double> scales(table.queries().size());
    std::vector<double> documents(table.queries().size());
    for (const auto& each : share_of_queries(table, share).queries) {
      scales[each.query] += each.scale;
      documents[each.query] += static_cast<double>(each.num_documents);
      EXPECT_LT(each.part, 16U);
    }
    for (std::size_t q = 0; q < scales.size(); ++q) {
      const auto size = static_cast<double>(table.queries()[q].size);
      const double wanted = std::max(50'000.0, share * size);
      EXPECT_NEAR(scales[q], 1, 1e-12);
      EXPECT_NEAR(documents[q], 2 * wanted < size ? wanted : 0, 50);
    }
  }
}

TEST(QueryShare, of_short_queries_does_not_depend_on_long_ones_among_them) {
  std::mt19937_64 random(8);
  const Dataset one = oracles::random_dataset(random, {.queries = 1, .most_documents = 900'000});
  ASSERT_GT(one.num_documents(), 60'000);
  std::vector<double> grades;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  for (int q = 0; q < 201; ++q) {
    const bool is_long = q == 50;
    const std::int64_t size = is_long ? 60'000 : 10;
    for (std::int64_t doc = 0; doc < size; ++doc) {
      grades.push_back(one.grades[static_cast<std::size_t>(doc)]);
    }
    grades.back() = grades[grades.size() - 2] + 1;  // a pair at least
    offsets.push_back(static_cast<std::int64_t>(grades.size()));
    ids.push_back(std::to_string(q));
  }
  Dataset data;
  data.features = DenseMatrix{std::ssize(grades), 1, std::vector<float>(grades.size(), 1.0F)};
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  const QueryTable table(data, Normalisation::query, 1);
  EXPECT_EQ(num_short_queries(table), 200U);
  std::size_t num_short = 0;
  double stood_for = 0;
  for (const auto& each : share_of_queries(table, 0.1).queries) {
    if (each.query == 50) {
      EXPECT_EQ(each.scale, 1);
      continue;
    }
    ++num_short;
    stood_for += each.scale;
  }
  EXPECT_NEAR(static_cast<double>(num_short), 20, 1);
  EXPECT_NEAR(stood_for, 200, 1e-9);
}

}  // namespace
}  // namespace rankine
