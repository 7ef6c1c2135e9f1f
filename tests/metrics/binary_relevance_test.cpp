#include "metrics/binary_relevance.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

using naive::OrderedQuery;

double hits(const OrderedQuery& query, std::size_t last_rank) {
  double count = 0;
  for (std::size_t rank = 1; rank <= last_rank && rank <= query.size(); ++rank) {
    if (query.relevant(rank)) ++count;
  }
  return count;
}

double naive_precision(const OrderedQuery& query) {
  if (query.num_relevant() == 0) return naive::kNothing;
  if (query.size() == 0) return 0;
  const auto k = static_cast<std::size_t>(query.k);
  const bool truncate = query.rules.short_lists == ShortLists::truncate;
  return hits(query, k) / static_cast<double>(truncate ? std::min(k, query.size()) : k);
}

double naive_recall(const OrderedQuery& query) {
  if (query.num_relevant() == 0) return naive::kNothing;
  return hits(query, static_cast<std::size_t>(query.k)) / query.num_relevant();
}

double naive_average_precision(const OrderedQuery& query) {
  if (query.num_relevant() == 0) return naive::kNothing;
  double sum = 0;
  for (std::size_t rank = 1; rank <= query.size() && query.inside(rank); ++rank) {
    if (query.relevant(rank)) sum += hits(query, rank) / static_cast<double>(rank);
  }
  const bool reachable = query.rules.map_divisor == MapDivisor::reachable;
  return sum / (reachable ? std::min(query.num_relevant(), static_cast<double>(query.k))
                          : query.num_relevant());
}

double naive_reciprocal_rank(const OrderedQuery& query) {
  if (query.num_relevant() == 0) return naive::kNothing;
  for (std::size_t rank = 1; rank <= query.size() && query.inside(rank); ++rank) {
    if (query.relevant(rank)) return 1 / static_cast<double>(rank);
  }
  return 0;
}

TEST(BinaryRelevance, equals_the_formulas_averaged_over_the_allowed_orders) {
  naive::expect_agreement("p", true, naive_precision);
  naive::expect_agreement("recall", true, naive_recall);
  naive::expect_agreement("map", true, naive_average_precision);
  naive::expect_agreement("map", false, naive_average_precision);
  naive::expect_agreement("mrr", true, naive_reciprocal_rank);
  naive::expect_agreement("mrr", false, naive_reciprocal_rank);
}

TEST(BinaryRelevance, follows_letors_script_on_a_case_worked_by_hand) {
  const std::vector<double> scores{1, 1, 5, 0};  // the first two in the input's order
  const std::vector<double> grades{2, 0, 0, 1};  // by rank 0 2 0 1
  const auto values = measure_query({scores, grades}, parse_measures("map,p@1,p@2,p@3,p@10,mrr"),
                                    measure_rules(Convention::letor));
  EXPECT_DOUBLE_EQ(values[0], (1.0 / 2 + 2.0 / 4) / 2);
  EXPECT_EQ(values[1], 0);
  EXPECT_DOUBLE_EQ(values[2], 1.0 / 2);
  EXPECT_DOUBLE_EQ(values[3], 1.0 / 3);
  EXPECT_DOUBLE_EQ(values[4], 2.0 / 10);  // missing ranks are irrelevant
  EXPECT_DOUBLE_EQ(values[5], 1.0 / 2);
}

TEST(BinaryRelevance, averages_a_block_of_a_hundred_thousand_equal_scores) {
  const std::vector<double> scores(100000, 0.5);
  std::vector<double> grades(scores.size(), 0);
  grades[77] = 1;
  const auto values = measure_query({scores, grades}, parse_measures("map,mrr,p@10"), {});
  double harmonic = 0;
  for (std::size_t rank = scores.size(); rank > 0; --rank)
    harmonic += 1 / static_cast<double>(rank);
  EXPECT_NEAR(values[0], harmonic / 1e5, 1e-14);
  EXPECT_NEAR(values[1], harmonic / 1e5, 1e-14);
  EXPECT_DOUBLE_EQ(values[2], 1e-5);
}

}  // namespace
}  // namespace rankine
