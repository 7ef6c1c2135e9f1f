#include "compute/query_share.hpp"

#include <random>
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
      EXPECT_GT(chosen.queries[k], chosen.queries[k - 1]);
      EXPECT_LE(chosen.queries[k] - chosen.queries[k - 1], widest + 1);
    }
    EXPECT_GE(chosen.queries.back() + widest + 1, all);
  }
  EXPECT_EQ(share_of_queries(table, 1).queries.size(), all);
  EXPECT_EQ(share_of_queries(table, 1e-9).queries, std::vector<std::size_t>{0});
}

TEST(QueryShare, is_scaled_to_the_pairs_and_factors_of_all) {
  std::mt19937_64 random(5);
  const Dataset data = oracles::random_dataset(random, {.queries = 300, .weighted = true});
  const QueryTable table(data, Normalisation::query, 1);
  const QueryShare chosen = share_of_queries(table, 0.2);
  double total = 0;
  for (const auto& query : table.queries()) total += query.factor * query.num_pairs;
  double counted = 0;
  for (const std::size_t q : chosen.queries) {
    counted += table.queries()[q].factor * table.queries()[q].num_pairs;
  }
  EXPECT_NEAR(chosen.scale * counted, total, 1e-9 * total);
  EXPECT_EQ(share_of_queries(table, 1).scale, 1);
}

}  // namespace
}  // namespace rankine
