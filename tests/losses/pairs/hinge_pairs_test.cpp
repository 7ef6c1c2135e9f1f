#include "losses/pairs/hinge_pairs.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_pair_costs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

TEST(HingePairs, equals_listing_the_pairs_of_many_grades) {
  std::mt19937_64 random(23);
  const auto query = oracles::random_query(random, 1500, 0, true);
  std::vector<double> fast(1500);
  std::vector<double> slow(1500);
  const double value = HingePairs().gradient(query.documents(), query.point(), fast);
  const double expected =
      oracles::naive_gradient(query.documents(), query.scores, {.loss = Loss::hinge}, slow);
  EXPECT_NEAR(value, expected, 1e-10 * expected);
  for (std::size_t k = 0; k < 1500; ++k) EXPECT_NEAR(fast[k], slow[k], 1e-9);
}

TEST(HingePairs, slope_is_a_subgradient) {
  std::mt19937_64 random(29);
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 50; ++repeat) {
    auto query = oracles::random_query(random, 20, 3, false);  // scores with pairs at the kink
    std::vector<double> slope(20);
    std::vector<double> ignored(20);
    const HingePairs loss;
    const double here = loss.gradient(query.documents(), query.point(), slope);
    double bound = here;
    for (std::size_t k = 0; k < 20; ++k) {
      const double step = normal(random);
      bound += slope[k] * step;
      query.scores[k] += step;
    }
    query.sort();
    EXPECT_GE(loss.gradient(query.documents(), query.point(), ignored), bound - 1e-9);
  }
}

}  // namespace
}  // namespace rankine
