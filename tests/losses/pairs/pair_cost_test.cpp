#include "losses/pairs/pair_cost.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "oracles/naive_pair_costs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

TEST(IdealRanking, delta_is_the_cost_of_a_swap_with_shared_discounts) {
  std::mt19937_64 random(3);
  for (const int levels : {0, 2, 3, 9}) {
    const auto query = oracles::random_query(random, 25, levels, false);
    IdealRanking ideal;
    ideal.assign(query.documents());
    oracles::for_each_pair(query.documents(), [&](std::size_t i, std::size_t j, double) {
      const double expected = oracles::dcg_delta(query.documents(), i, j);
      EXPECT_NEAR(ideal.delta(query.ranks[i], query.ranks[j]), expected, 1e-10 * expected);
      EXPECT_GT(expected, 0);
    });
  }
}

TEST(IdealRanking, summed_over_swaps_of_distinct_grades_bounds_the_dcg_lost) {
  // Three documents, three grades, ranked upside down: sum of delta over swapped pairs >= DCG lost.
  const std::vector<double> grades{0, 1, 2};
  const std::vector<std::uint32_t> ranks{0, 1, 2};
  IdealRanking ideal;
  ideal.assign({grades, ranks, 3, {}});
  const double bound = ideal.delta(1, 0) + ideal.delta(2, 0) + ideal.delta(2, 1);
  const double best = 4 + 2 / std::log2(3.0) + 1 / std::log2(4.0);
  const double worst = 1 + 2 / std::log2(3.0) + 4 / std::log2(4.0);
  EXPECT_GE(bound, best - worst);
}

TEST(PairCosts, enter_as_margin_or_as_factor) {
  const std::vector<double> grades{0, 2.5};
  const std::vector<std::uint32_t> ranks{0, 1};
  const QueryDocuments query{grades, ranks, 2, {}};
  const auto cost = [&](PairWeight weight, Rescaling rescaling) {
    PairCosts costs(weight, rescaling);
    costs.assign(query);
    return costs.of(query, 1, 0);
  };
  const PairCost slack = cost(PairWeight::grade_difference, Rescaling::slack);
  EXPECT_EQ(slack.weight, 2.5);
  EXPECT_EQ(slack.margin, 1);
  const PairCost margin = cost(PairWeight::grade_difference, Rescaling::margin);
  EXPECT_EQ(margin.weight, 1);
  EXPECT_EQ(margin.margin, 2.5);
  const double delta = oracles::dcg_delta(query, 1, 0);
  EXPECT_NEAR(cost(PairWeight::dcg, Rescaling::slack).weight, delta, 1e-12);
  EXPECT_NEAR(cost(PairWeight::dcg, Rescaling::margin).margin, std::sqrt(delta), 1e-12);
  EXPECT_EQ(cost(PairWeight::none, Rescaling::margin).margin, 1);
}

}  // namespace
}  // namespace rankine
