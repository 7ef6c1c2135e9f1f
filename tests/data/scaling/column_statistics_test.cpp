#include "data/scaling/column_statistics.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "oracles/slow_summary.hpp"

namespace rankine {
namespace {

void nothing() {}

TEST(ColumnStatistics, agree_with_two_passes_over_each_column) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Dataset data = oracles::tied_dataset(seed, {.sparse = seed % 2 == 1});
    const auto columns = column_statistics(data, 1, nothing);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const ColumnStatistics slow = oracles::slow_column(data, c);
      EXPECT_EQ(columns[c].least, slow.least) << seed;
      EXPECT_EQ(columns[c].most, slow.most) << seed;
      EXPECT_EQ(columns[c].num_nonzero, slow.num_nonzero) << seed;
      EXPECT_NEAR(columns[c].mean, slow.mean, 1e-13);
      EXPECT_NEAR(columns[c].deviation, slow.deviation, 1e-13);
    }
  }
}

TEST(ColumnStatistics, are_the_same_bits_for_any_number_of_threads) {
  const Dataset data =
      oracles::tied_dataset(1, {.num_queries = 900, .longest = 20, .num_values = 1000});
  ASSERT_GT(num_column_leaves(data), 4U);
  const auto one = column_statistics(data, 1, nothing);
  for (const int threads : {2, 3, 8}) {
    const auto many = column_statistics(data, threads, nothing);
    for (std::size_t c = 0; c < one.size(); ++c) {
      EXPECT_EQ(one[c].mean, many[c].mean);
      EXPECT_EQ(one[c].deviation, many[c].deviation);
    }
  }
}

TEST(ColumnStatistics, merge_blocks_without_loss) {
  const Dataset data =
      oracles::tied_dataset(2, {.num_queries = 900, .longest = 20, .num_values = 1000});
  const auto columns = column_statistics(data, 1, nothing);
  const ColumnStatistics slow = oracles::slow_column(data, 1);
  EXPECT_NEAR(columns[1].mean, slow.mean, 1e-10 * std::abs(slow.mean));
  EXPECT_NEAR(columns[1].deviation, slow.deviation, 1e-10 * slow.deviation);
}

TEST(ColumnStatistics, a_large_offset_does_not_drown_the_deviation) {
  std::vector<float> values;
  for (int row = 0; row < 1000; ++row) values.push_back(row % 2 == 0 ? 16777214.0F : 16777215.0F);
  Dataset data;
  data.features = DenseMatrix{1000, 1, values};
  data.grades = std::vector<double>(1000);
  data.query_offsets = std::vector<std::int64_t>{0, 1000};
  EXPECT_DOUBLE_EQ(column_statistics(data, 1, nothing)[0].deviation, 0.5);
}

TEST(ColumnStatistics, a_matrix_without_rows_has_zeros) {
  Dataset data;
  data.features = DenseMatrix{0, 3, {}};
  const auto columns = column_statistics(data, 1, nothing);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[2].mean, 0);
  EXPECT_EQ(columns[2].deviation, 0);
}

}  // namespace
}  // namespace rankine
