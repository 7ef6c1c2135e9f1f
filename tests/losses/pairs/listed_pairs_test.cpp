#include "losses/pairs/listed_pairs.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/finite_differences.hpp"
#include "oracles/naive_pair_costs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

TEST(ListedPairs, explicit_preferences_replace_those_of_the_grades) {
  std::mt19937_64 random(1);
  const auto query = oracles::random_query(random, 6, 3, false);
  const std::vector<ListedPair> pairs{{0, 1, 1, 1}, {4, 2, 0.5, 3}, {1, 0, 2, 0.25}};
  for (const Loss loss : {Loss::squared_hinge, Loss::hinge, Loss::huber, Loss::logistic}) {
    const auto function = oracles::kernel_formula(loss);
    for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
      for (const PairWeight weight : {PairWeight::none, PairWeight::grade_difference}) {
        QueryDocuments documents = query.documents();
        documents.pairs = pairs;
        std::vector<double> gradient(6);
        const double value =
            ListedPairs(loss, weight, rescaling).gradient(documents, {query.scores, {}}, gradient);
        double expected = 0;
        std::vector<double> slopes(6);
        for (const ListedPair& pair : pairs) {
          const bool costed = weight == PairWeight::grade_difference;
          const bool by_margin = rescaling == Rescaling::margin;
          const double margin = costed && by_margin ? pair.magnitude : 1;
          const double factor = pair.weight * (costed && !by_margin ? pair.magnitude : 1);
          const double t = query.scores[pair.winner] - query.scores[pair.loser] + 1 - margin;
          expected += factor * function.value(t);
          slopes[pair.winner] += factor * function.slope(t);
          slopes[pair.loser] -= factor * function.slope(t);
        }
        EXPECT_NEAR(value, expected, 1e-12);
        for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(gradient[k], slopes[k], 1e-12);
      }
    }
  }
}

TEST(ListedPairs, listing_the_pairs_of_the_grades_changes_nothing) {
  std::mt19937_64 random(2);
  const auto query = oracles::random_query(random, 20, 4, true);
  std::vector<ListedPair> pairs;
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (std::uint32_t j = 0; j < 20; ++j) {
      if (query.grades[i] > query.grades[j]) {
        pairs.push_back({i, j, 1, query.grades[i] - query.grades[j]});
      }
    }
  }
  QueryDocuments listed = query.documents();
  listed.pairs = pairs;
  const ListedPairs loss(Loss::huber, PairWeight::grade_difference, Rescaling::margin);
  std::vector<double> here(20);
  std::vector<double> there(20);
  EXPECT_NEAR(loss.gradient(query.documents(), query.point(), here),
              loss.gradient(listed, query.point(), there), 1e-10);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(here[k], there[k], 1e-10);
}

TEST(ListedPairs, logistic_neither_overflows_nor_loses_far_pairs) {
  const std::vector<double> grades{0, 1};
  const std::vector<std::uint32_t> ranks{0, 1};
  const QueryDocuments query{grades, ranks, 2, {}};
  const ListedPairs loss(Loss::logistic);
  std::vector<double> out(2);
  EXPECT_EQ(loss.gradient(query, {std::vector<double>{1e6, 0}, {}}, out), 1e6);
  EXPECT_EQ(out[1], -1);
  EXPECT_EQ(loss.gradient(query, {std::vector<double>{0, 1e6}, {}}, out), 0);
  EXPECT_EQ(out[1], 0);
}

}  // namespace
}  // namespace rankine
