#include "losses/pair_sweep.hpp"

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
  for (const std::size_t size : {1025U, 2500U, 3000U}) {
    for (const bool weighted : {false, true}) {
      const auto query = oracles::random_query(random, size, 0, weighted);
      std::vector<double> fast(size);
      const double winner_sum = sweep_pairs(query.documents(), query.point(), {1, 1},
                                            PairWeighting::uniform, query.scores, 1, fast);
      std::vector<double> slow(size);
      double expected_sum = 0;
      oracles::for_each_pair(query.documents(), [&](std::size_t i, std::size_t j, double weight) {
        const double t = query.scores[i] - query.scores[j];
        if (t >= 1) return;
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
