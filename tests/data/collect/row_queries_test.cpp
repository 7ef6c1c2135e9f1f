#include "data/collect/row_queries.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// The numbers given as a reader gives them: a start where a number differs from the last, and
/// sometimes, as where a block of text begins, where it does not.
RowQueries started(const std::vector<std::uint32_t>& numbers, unsigned every) {
  RowQueries queries;
  queries.expect(numbers.size());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (row % every == 0 || numbers[row] != numbers[row - 1]) queries.start(row, numbers[row]);
  }
  return queries;
}

TEST(RowQueries, tell_where_queries_begin_while_rows_are_gathered) {
  for (const unsigned every : {1U, 2U, 100U}) {
    RowQueries queries = started({0, 0, 1, 2, 2, 2}, every);
    ASSERT_TRUE(queries.are_gathered());
    EXPECT_EQ(std::move(queries).offsets(6), (std::vector<std::int64_t>{0, 2, 3, 6}));
  }
  EXPECT_EQ(RowQueries().offsets(0), std::vector<std::int64_t>{0});
}

TEST(RowQueries, number_every_row_once_a_query_comes_back) {
  std::mt19937 random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<std::uint32_t> numbers{0};
    std::uint32_t num_queries = 1;
    while (numbers.size() < 40) {
      const auto dice = random() % 6;
      if (dice < 3) {
        numbers.push_back(numbers.back());
      } else if (dice < 5) {
        numbers.push_back(num_queries++);
      } else {
        numbers.push_back(static_cast<std::uint32_t>(random()) % num_queries);
      }
    }
    RowQueries queries = started(numbers, 1 + static_cast<unsigned>(random()) % 7);
    ASSERT_EQ(queries.are_gathered(), std::is_sorted(numbers.begin(), numbers.end()));
    if (!queries.are_gathered()) {
      EXPECT_EQ(std::move(queries).numbers(numbers.size()), numbers);
    }
  }
}

}  // namespace
}  // namespace rankine
