#include "compute/cpu/products/short_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(OrderByCounting, is_that_of_a_stable_sort) {
  std::mt19937_64 random(5);
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t size = 0; size <= kMostCountedKeys; size += 1 + size / 40) {
    for (const std::uint64_t num_values : {1U, 3U, 1000U}) {
      std::vector<std::int64_t> keys(size);
      for (std::int64_t& key : keys) {
        const auto value = static_cast<std::int64_t>(random() % num_values);
        key = random() % 8 == 0 ? -kLargest - 1 : random() % 8 == 0 ? kLargest - 1 : value - 1;
      }
      std::vector<std::uint32_t> expected(size);
      std::iota(expected.begin(), expected.end(), 0U);
      std::stable_sort(expected.begin(), expected.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
      std::vector<std::uint32_t> order(size);
      order_by_counting(keys, order);
      EXPECT_EQ(order, expected) << size;
    }
  }
}

}  // namespace
}  // namespace rankine
