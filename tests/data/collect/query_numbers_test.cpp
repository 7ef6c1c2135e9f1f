#include "data/collect/query_numbers.hpp"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(QueryNumbersTest, numbers_ids_by_first_appearance) {
  std::mt19937 random(5);
  QueryNumbers numbers;
  std::map<std::string, std::uint32_t> expected;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::string id = std::to_string(random() % 3000);
    const auto [at, added] = expected.emplace(id, static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(numbers.number(id), at->second);
  }
  EXPECT_EQ(numbers.size(), expected.size());
  const StringList ids = numbers.finish();
  ASSERT_EQ(ids.size(), expected.size());
  for (const auto& [id, number] : expected) EXPECT_EQ(ids[number], id);
}

TEST(QueryNumbersTest, takes_the_empty_id_and_can_be_used_again) {
  QueryNumbers numbers;
  EXPECT_EQ(numbers.number(""), 0U);
  EXPECT_EQ(numbers.number("a"), 1U);
  EXPECT_EQ(numbers.number(""), 0U);
  EXPECT_EQ(numbers.finish().size(), 2U);
  EXPECT_EQ(numbers.number("a"), 0U);
}

}  // namespace
}  // namespace rankine
