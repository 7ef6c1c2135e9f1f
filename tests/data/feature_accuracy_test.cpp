#include "data/feature_accuracy.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "oracles/slow_summary.hpp"

namespace rankine {
namespace {

TEST(CountPairs, agrees_with_listing_them) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Dataset data = oracles::tied_dataset(seed, {.num_queries = 1, .longest = 30});
    std::int64_t listed = 0;
    oracles::for_each_pair(data, 0, [&](auto, auto) { ++listed; });
    std::vector<double> grades(data.grades.begin(), data.grades.end());
    EXPECT_EQ(count_pairs(grades), listed);
  }
}

TEST(CountPairs, nothing_and_one_document_have_none) {
  std::vector<double> grades;
  EXPECT_EQ(count_pairs(grades), 0);
  grades = {3};
  EXPECT_EQ(count_pairs(grades), 0);
}

TEST(CountPairs, does_not_overflow_on_a_long_query) {
  std::vector<double> grades(200'000, 0);
  for (std::size_t doc = 0; doc < 100'000; ++doc) grades[doc] = 1;
  EXPECT_EQ(count_pairs(grades), 10'000'000'000);
}

TEST(OrderedPairs, agree_with_listing_them_with_ties_and_zeros) {
  for (unsigned seed = 0; seed < 120; ++seed) {
    const oracles::TiedShape shape{.num_queries = 1,
                                   .longest = 15,
                                   .num_values = 2 + static_cast<int>(seed % 5),
                                   .sparse = seed % 2 == 1};
    const Dataset data = oracles::tied_dataset(seed, shape);
    std::vector<std::int64_t> slow(4, 0);
    oracles::for_each_pair(data, 0, [&](std::int64_t winner, std::int64_t loser) {
      for (std::size_t c = 0; c < 4; ++c) {
        const float above = oracles::slow_row(data, winner)[c];
        const float below = oracles::slow_row(data, loser)[c];
        slow[c] += above > below ? 2 : above == below ? 1 : 0;
      }
    });
    std::vector<std::int64_t> fast(4, 0);
    add_ordered_pairs(data, 0, fast);
    EXPECT_EQ(fast, slow) << seed;
  }
}

}  // namespace
}  // namespace rankine
