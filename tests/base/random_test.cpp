#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

// The known answers published with the generator (Random123, kat_vectors).
TEST(Philox, gives_the_published_answers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (RandomBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (RandomBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (RandomBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, places_seed_stream_and_index_in_key_and_counter) {
  const Random random(0x299f31d0a4093822, 0x0370734413198a2e);
  EXPECT_EQ(random.block(0x85a308d3243f6a88),
            (RandomBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, bits_are_the_two_halves_of_a_block) {
  const Random random(5, 7);
  const RandomBlock words = random.block(21);
  EXPECT_EQ(random.bits(42), words[0] | std::uint64_t{words[1]} << 32);
  EXPECT_EQ(random.bits(43), words[2] | std::uint64_t{words[3]} << 32);
}

TEST(Random, draws_differ_between_seeds_streams_and_indices) {
  std::vector<std::uint64_t> draws;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t stream = 0; stream < 10; ++stream) {
      for (std::uint64_t index = 0; index < 10; ++index) {
        draws.push_back(Random(seed, stream).bits(index));
      }
    }
  }
  std::sort(draws.begin(), draws.end());
  EXPECT_EQ(std::adjacent_find(draws.begin(), draws.end()), draws.end());
}

TEST(Uniform, never_reaches_its_ends) {
  EXPECT_EQ(uniform_from_bits(std::uint64_t{0}), 0x1p-53);
  EXPECT_EQ(uniform_from_bits(~std::uint64_t{0}), 1 - 0x1p-53);
  EXPECT_EQ(uniform_from_bits(std::uint32_t{0}), 0x1p-33);
  EXPECT_EQ(uniform_from_bits(~std::uint32_t{0}), 1 - 0x1p-33);
}

TEST(Uniform, fills_the_interval_evenly) {
  const Random random(1);
  constexpr int kDraws = 200'000;
  constexpr std::size_t kCells = 20;
  std::array<int, kCells> counts{};
  for (std::uint64_t index = 0; index < kDraws; ++index) {
    ++counts[static_cast<std::size_t>(random.uniform(index) * kCells)];
  }
  double chi_square = 0;
  for (const int count : counts) {
    const double expected = static_cast<double>(kDraws) / kCells;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_square, 43.8);  // 19 degrees of freedom, one in a thousand
}

TEST(Below, stays_below_its_bound_and_meets_every_value) {
  const Random random(2);
  std::array<int, 7> counts{};
  for (std::uint64_t index = 0; index < 70'000; ++index) ++counts[random.below(index, 7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(random.below(0, 1), 0u);
}

TEST(Below, is_the_upper_half_of_the_product) {
  const Random random(3);
  __extension__ using Wide = unsigned __int128;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const std::uint64_t bound = random.bits(1'000'000 + index) >> (index % 60) | 1;
    EXPECT_EQ(random.below(index, bound),
              static_cast<std::uint64_t>(Wide{random.bits(index)} * bound >> 64));
  }
}

TEST(Normal, has_the_moments_of_the_normal_distribution) {
  const Random random(4);
  constexpr int kDraws = 400'000;
  std::array<double, 5> moments{};
  for (std::uint64_t index = 0; index < kDraws; ++index) {
    const double z = random.normal(index);
    double power = 1;
    for (double& moment : moments) {
      moment += power / kDraws;
      power *= z;
    }
  }
  // Four standard errors of each.
  EXPECT_NEAR(moments[1], 0, 4 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(moments[2], 1, 4 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(moments[3], 0, 4 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(moments[4], 3, 4 * std::sqrt(96.0 / kDraws));
}

TEST(Normal, neighbouring_draws_and_streams_are_uncorrelated) {
  constexpr int kDraws = 100'000;
  double neighbours = 0;
  double streams = 0;
  for (std::uint64_t index = 0; index < kDraws; ++index) {
    const double z = Random(6, 0).normal(index);
    neighbours += z * Random(6, 0).normal(index + 1) / kDraws;
    streams += z * Random(6, 1).normal(index) / kDraws;
  }
  EXPECT_NEAR(neighbours, 0, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(streams, 0, 4 / std::sqrt(kDraws));
}

TEST(RandomPermutation, holds_every_number_once) {
  for (const std::int64_t count : {0, 1, 2, 1000}) {
    auto order = random_permutation(Random(7), count);
    std::sort(order.begin(), order.end());
    std::vector<std::int64_t> expected(static_cast<std::size_t>(count));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
  }
}

TEST(RandomPermutation, gives_every_order_equally_often) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::uint64_t stream = 0; stream < 24'000; ++stream) {
    ++counts[random_permutation(Random(8, stream), 4)];
  }
  EXPECT_EQ(counts.size(), 24u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 130);
}

TEST(RandomSubset, gives_every_subset_equally_often_and_rising) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::uint64_t stream = 0; stream < 10'000; ++stream) {
    ++counts[random_subset(Random(9, stream), 5, 2)];
  }
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [subset, count] : counts) {
    EXPECT_LT(subset[0], subset[1]);
    EXPECT_NEAR(count, 1000, 130);
  }
}

TEST(RandomSubset, may_be_nothing_or_everything) {
  EXPECT_TRUE(random_subset(Random(10), 5, 0).empty());
  EXPECT_EQ(random_subset(Random(10), 3, 3), (std::vector<std::int64_t>{0, 1, 2}));
}

// A golden value: results must not change between versions either.
TEST(Random, keeps_its_draws_from_version_to_version) {
  const Random random(2026, 10);
  EXPECT_EQ(random.bits(3), 10167253564200037069u);
  EXPECT_EQ(random.uniform(4), 0x1.207266ea23d07p-1);
  EXPECT_EQ(random.normal(5), 0x1.5b3ff0a61ce07p-2);
  EXPECT_EQ(random_permutation(random, 6), (std::vector<std::int64_t>{5, 4, 3, 1, 2, 0}));
  EXPECT_EQ(random_subset(random, 1'000'000, 3),
            (std::vector<std::int64_t>{14367, 270891, 481887}));
}

}  // namespace
}  // namespace rankine
