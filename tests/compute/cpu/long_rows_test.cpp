#include "compute/cpu/long_rows.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(RowCuts, cover_all_rows_in_order_and_are_one_for_short_queries) {
  for (const std::size_t rows : {0U, 1U, 32'767U, 32'768U, 100'001U, 5'000'000U}) {
    const Cuts blocks = row_cuts(rows);
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      EXPECT_EQ(blocks[block].first, next);
      next = blocks[block].last;
    }
    EXPECT_EQ(next, rows);
    EXPECT_LE(blocks.size(), 16U);
    EXPECT_EQ(blocks.size() > 1, shares_rows(rows));
    EXPECT_EQ(shares_rows(rows), rows >= 32'768);
  }
}

TEST(RowCuts, are_each_worked_on_once) {
  constexpr std::size_t kRows = 200'000;
  std::vector<std::atomic<int>> visits(kRows);
  for_each_row_block(kRows, 3, [&](std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) ++visits[row];
  });
  for (const auto& each : visits) ASSERT_EQ(each.load(), 1);
}

TEST(RowCuts, add_to_what_is_there_with_the_same_bits_for_any_number_of_threads) {
  for (const std::size_t rows : {1000U, 300'000U}) {
    const auto sum = [&](int threads) {
      std::vector<double> out{1.0, 2.0};
      add_row_blocks(rows, threads, out,
                     [](std::size_t first, std::size_t count, std::span<double> target) {
                       for (std::size_t row = first; row < first + count; ++row) {
                         target[0] += 1 / static_cast<double>(row + 1);
                         target[1] += 1;
                       }
                     });
      return out;
    };
    EXPECT_EQ(sum(1), sum(4));
    EXPECT_EQ(sum(1)[1], static_cast<double>(rows + 2));
  }
}

}  // namespace
}  // namespace rankine
