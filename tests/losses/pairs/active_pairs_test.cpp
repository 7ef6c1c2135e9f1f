#include "losses/pairs/active_pairs.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_pairs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

TEST(ActivePairs, give_the_differences_of_listed_pairs) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int num_grades = 1; num_grades <= 7; ++num_grades) {
    for (const std::size_t size : {1U, 2U, 7U, 40U, 300U}) {
      for (const double margin : {0.0, 0.3, 1.0, 100.0}) {
        const auto query = oracles::random_query(random, size, num_grades, false);
        const auto documents = query.documents();
        const auto point = query.point();
        ASSERT_TRUE(has_active_ranges(documents));
        std::vector<ActiveRange> ranges(size);
        find_active_ranges(documents, point, margin, ranges);
        std::vector<double> values(size);
        for (double& value : values) value = normal(random);
        std::vector<double> expected(size);
        oracles::for_each_pair(documents, [&](std::size_t i, std::size_t j, double) {
          if (!(query.scores[i] - query.scores[j] < margin)) return;
          expected[i] += 2 * (values[i] - values[j]);
          expected[j] += 2 * (values[j] - values[i]);
        });
        std::vector<double> out(size, 9.0);
        Prefetcher ahead;
        active_differences(ranges, documents.num_grades, values, 2, ahead, out);
        for (std::size_t doc = 0; doc < size; ++doc) {
          EXPECT_NEAR(out[doc], expected[doc], 1e-10 * (1 + std::abs(expected[doc])));
        }
      }
    }
  }
}

TEST(ActivePairs, give_the_gradient_and_the_counts_of_listed_pairs) {
  std::mt19937_64 random(7);
  for (int num_grades = 1; num_grades <= 7; ++num_grades) {
    for (const std::size_t size : {1U, 2U, 7U, 40U, 300U}) {
      for (const double margin : {0.0, 0.3, 1.0, 100.0}) {
        auto query = oracles::random_query(random, size, num_grades, false);
        for (double& score : query.scores) score += 1e4;  // far from 0: sums must not cancel
        const auto documents = query.documents();
        const auto point = query.point();
        std::vector<double> expected(size, 1.0);
        double winners = 0;
        oracles::for_each_pair(documents, [&](std::size_t i, std::size_t j, double) {
          const double distance = query.scores[i] - query.scores[j];
          if (!(distance < margin)) return;
          expected[i] += 3 * 2 * (distance - margin);
          expected[j] -= 3 * 2 * (distance - margin);
          winners += 3 * 2 * (distance - margin);
        });
        std::vector<double> out(size, 1.0);
        std::vector<ActiveRange> ranges(size);
        std::vector<ActiveRange> found(size);
        const double sum = active_gradient(documents, point, {3, margin}, ranges, out);
        EXPECT_NEAR(sum, winners, 1e-9 * (1 + std::abs(winners)));
        find_active_ranges(documents, point, margin, found);
        double num_pairs = 0;
        std::vector<double> expected_counts(size);
        oracles::for_each_pair(documents, [&](std::size_t i, std::size_t j, double) {
          if (!(query.scores[i] - query.scores[j] < margin)) return;
          expected_counts[i] -= 1;
          expected_counts[j] += 1;
          num_pairs += 1;
        });
        std::vector<double> counts(size, 9.0);
        EXPECT_EQ(active_counts(documents, point, margin, counts), num_pairs);
        EXPECT_EQ(counts, expected_counts);
        for (std::size_t doc = 0; doc < size; ++doc) {
          EXPECT_NEAR(out[doc], expected[doc], 1e-9 * (1 + std::abs(winners)));
          EXPECT_EQ(ranges[doc].document(), point.order[doc]);
          EXPECT_EQ(ranges[doc].grade(), documents.grade_ranks[point.order[doc]]);
          EXPECT_EQ(ranges[doc].first_loser(), found[doc].first_loser());
          EXPECT_EQ(ranges[doc].winners_end(), found[doc].winners_end());
          EXPECT_EQ(ranges[doc].num_partners(), found[doc].num_partners());
        }
      }
    }
  }
}

TEST(ActivePairs, are_not_for_many_grades_or_weights) {
  std::mt19937_64 random(3);
  EXPECT_FALSE(has_active_ranges(oracles::random_query(random, 30, 0, false).documents()));
  EXPECT_FALSE(has_active_ranges(oracles::random_query(random, 30, 3, true).documents()));
}

}  // namespace
}  // namespace rankine
