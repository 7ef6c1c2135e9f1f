#include "losses/active_pairs.hpp"

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
        MemoryAhead ahead;
        active_differences(documents, point.order, ranges, values, 2, ahead, out);
        for (std::size_t doc = 0; doc < size; ++doc) {
          EXPECT_NEAR(out[doc], expected[doc], 1e-10 * (1 + std::abs(expected[doc])));
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
