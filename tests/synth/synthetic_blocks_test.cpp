#include "synth/synthetic_blocks.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

using Places = std::vector<std::pair<std::int64_t, std::int64_t>>;

SynthOptions small_options() {
  return {.queries = 37, .documents = 5, .lengths = LengthDistribution::geometric, .features = 2};
}

Places all_places(const SyntheticSource& source) {
  Places places;
  for (std::int64_t query = 0; query < source.options().queries; ++query) {
    for (std::int64_t document = 0; document < source.query_length(query); ++document) {
      places.emplace_back(query, document);
    }
  }
  return places;
}

TEST(BlockPlan, blocks_of_any_size_hold_every_row_once_and_in_order) {
  const SyntheticSource source(small_options());
  for (const std::int64_t block_rows : {1, 2, 7, 64, 10'000}) {
    Places places;
    for (BlockPlan plan(source, block_rows); !plan.at_end();) {
      const RowRange range = plan.next_block();
      EXPECT_GE(range.num_rows, 1);
      EXPECT_LE(range.num_rows, block_rows);
      for_each_row(source, range, [&](std::int64_t query, std::int64_t document, const auto&) {
        places.emplace_back(query, document);
      });
    }
    EXPECT_EQ(places, all_places(source));
  }
}

TEST(ForEachRow, a_query_cut_in_two_has_the_rows_of_the_whole) {
  const SyntheticSource source({.queries = 1, .documents = 20, .features = 3});
  std::vector<std::uint64_t> whole;
  std::vector<std::uint64_t> parts;
  const auto into = [](std::vector<std::uint64_t>& all) {
    return [&all](std::int64_t, std::int64_t, const SyntheticRow& row) {
      all.insert(all.end(), row.millionths.begin(), row.millionths.end());
    };
  };
  for_each_row(source, {0, 0, 20}, into(whole));
  for_each_row(source, {0, 0, 13}, into(parts));
  for_each_row(source, {0, 13, 7}, into(parts));
  EXPECT_EQ(parts, whole);
}

TEST(StreamBlocks, uses_blocks_in_order_for_any_number_of_threads) {
  const SyntheticSource source(small_options());
  for (const int threads : {1, 2, 5}) {
    Places places;
    stream_blocks<Places>(
        BlockPlan(source, 3), threads,
        [&](const RowRange& range, Places& block) {
          block.clear();
          for_each_row(source, range, [&](std::int64_t query, std::int64_t document, const auto&) {
            block.emplace_back(query, document);
          });
        },
        [&](const Places& block) { places.insert(places.end(), block.begin(), block.end()); });
    EXPECT_EQ(places, all_places(source));
  }
}

TEST(StreamBlocks, passes_on_what_use_throws) {
  const SyntheticSource source(small_options());
  const auto run = [&](int threads) {
    stream_blocks<int>(
        BlockPlan(source, 1), threads, [](const RowRange&, int&) {},
        [](int) { throw std::runtime_error("full"); });
  };
  EXPECT_THROW(run(1), std::runtime_error);
  EXPECT_THROW(run(3), std::runtime_error);
}

}  // namespace
}  // namespace rankine
