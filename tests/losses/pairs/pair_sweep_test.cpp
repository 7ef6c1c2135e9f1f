#include "losses/pairs/pair_sweep.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_pairs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

/// More grades than one tally takes: the ranges must not lose or double a pair.
TEST(SweepPairs, splits_many_grades_into_ranges_without_losing_a_pair) {
  std::mt19937_64 random(3);
  for (const std::size_t size : {2048U, 2049U, 4097U}) {
    for (const bool weighted : {false, true}) {
      const auto query = oracles::random_query(random, size, 0, weighted);
      const auto weighting = weighted ? PairWeighting::grade_difference : PairWeighting::uniform;
      std::vector<double> fast(size);
      const double winner_sum =
          sweep_pairs(query.documents(), query.point(), {1, 1}, weighting, query.scores, 1, fast);
      std::vector<double> slow(size);
      double expected_sum = 0;
      oracles::for_each_pair(query.documents(), [&](std::size_t i, std::size_t j, double weight) {
        const double t = query.scores[i] - query.scores[j];
        if (t >= 1) return;
        if (weighted) weight *= query.documents().grades[i] - query.documents().grades[j];
        slow[i] += 2 * weight * (t - 1);
        slow[j] -= 2 * weight * (t - 1);
        expected_sum += 2 * weight * (t - 1);
      });
      EXPECT_NEAR(winner_sum, expected_sum, 1e-10 * std::abs(expected_sum));
      for (std::size_t k = 0; k < size; ++k) {
        EXPECT_NEAR(fast[k], slow[k], 1e-9 * (1 + std::abs(slow[k])));
      }
    }
  }
}

TEST(SweepPairs, of_a_list_so_long_that_its_memory_is_given_back_is_the_same_again) {
  constexpr std::size_t kSize = 500'000;
  std::mt19937_64 random(9);
  const auto query = oracles::random_query(random, kSize, 0, false);
  const auto swept = [&] {
    std::vector<double> out(kSize);
    sweep_pairs(query.documents(), query.point(), {1, 1}, PairWeighting::uniform, query.scores, 1,
                out);
    return out;
  };
  const std::vector<double> first = swept();
  EXPECT_EQ(swept(), first);
  // Some documents against all others.
  for (std::size_t i = 0; i < kSize; i += kSize / 7) {
    double expected = 0;
    for (std::size_t j = 0; j < kSize; ++j) {
      const double sign = query.documents().grades[i] > query.documents().grades[j]   ? 1
                          : query.documents().grades[i] < query.documents().grades[j] ? -1
                                                                                      : 0;
      const double t = sign * (query.scores[i] - query.scores[j]);
      if (sign != 0 && t < 1) expected += sign * 2 * (t - 1);
    }
    EXPECT_NEAR(first[i], expected, 1e-9 * (1 + std::abs(expected)));
  }
}

TEST(SweepPairs, adds_nothing_where_all_grades_are_equal) {
  std::mt19937_64 random(3);
  const auto query = oracles::random_query(random, 20, 1, false);
  std::vector<double> out(20, 7.0);
  EXPECT_EQ(sweep_pairs(query.documents(), query.point(), {1, 1}, PairWeighting::uniform,
                        query.scores, 1, out),
            0);
  EXPECT_EQ(out, std::vector<double>(20, 7.0));
}

TEST(SweepPairs, gives_what_winners_get_back_from_losers) {
  std::mt19937_64 random(5);
  const auto query = oracles::random_query(random, 50, 4, true);
  std::vector<double> out(50);
  sweep_pairs(query.documents(), query.point(), {1, 1}, PairWeighting::grade_difference,
              query.scores, 1, out);
  double sum = 0;
  for (const double value : out) sum += value;
  EXPECT_NEAR(sum, 0, 1e-9);
}

}  // namespace
}  // namespace rankine
