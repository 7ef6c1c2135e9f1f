#include "data/collect/feature_collector.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

/// Rows to add, and the matrix they make.
struct Block {
  std::vector<std::size_t> row_ends;
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  std::int64_t num_columns = 0;
  EntryRows rows() const { return {row_ends, columns, values, num_columns}; }
};

Block random_block(std::mt19937& random, std::size_t num_rows, std::uint32_t width,
                   double density) {
  Block block;
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::uint32_t column = 0; column < width; ++column) {
      if (static_cast<double>(random() % 1000) >= 1000 * density) continue;
      block.columns.push_back(column);
      block.values.push_back(static_cast<float>(random() % 4));
      block.num_columns = std::max(block.num_columns, std::int64_t{column} + 1);
    }
    block.row_ends.push_back(block.values.size());
  }
  return block;
}

/// Every value, by row; checks that sparse rows rise and hold no zeros.
std::vector<std::vector<float>> cells(const FeatureMatrix& matrix) {
  std::vector<std::vector<float>> all;
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    EXPECT_EQ(dense->values.size(), static_cast<std::size_t>(dense->num_rows * dense->num_columns));
    for (std::int64_t row = 0; row < dense->num_rows; ++row) {
      all.emplace_back(dense->row(row).begin(), dense->row(row).end());
    }
    return all;
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  EXPECT_EQ(sparse.offsets.size(), static_cast<std::size_t>(sparse.num_rows) + 1);
  EXPECT_EQ(sparse.columns.size(), sparse.values.size());
  EXPECT_EQ(sparse.offsets.back(), static_cast<std::int64_t>(sparse.values.size()));
  for (std::size_t row = 0; row + 1 < sparse.offsets.size(); ++row) {
    all.emplace_back(static_cast<std::size_t>(sparse.num_columns));
    for (auto entry = static_cast<std::size_t>(sparse.offsets[row]);
         entry < static_cast<std::size_t>(sparse.offsets[row + 1]); ++entry) {
      EXPECT_NE(sparse.values[entry], 0);
      all.back()[sparse.columns[entry]] = sparse.values[entry];
    }
  }
  return all;
}

TEST(FeatureCollectorTest, makes_the_same_matrix_whatever_the_blocks_and_the_storage) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::vector<Block> blocks;
    std::int64_t num_columns = 3;
    std::int64_t num_rows = 0;
    double num_written = 0;
    for (unsigned count = 0; count <= seed % 9; ++count) {
      // Widths and densities that change force every way of changing one's mind.
      const auto width = static_cast<std::uint32_t>(1 + random() % (seed % 4 == 0 ? 10 : 200));
      blocks.push_back(random_block(random, random() % 30, width, seed % 2 == 0 ? 1.0 : 0.2));
      num_columns = std::max(num_columns, blocks.back().num_columns);
      num_rows += static_cast<std::int64_t>(blocks.back().row_ends.size());
      num_written += static_cast<double>(blocks.back().values.size());
    }
    std::vector<std::vector<float>> expected;
    for (const Block& block : blocks) {
      std::size_t entry = 0;
      for (const std::size_t end : block.row_ends) {
        expected.emplace_back(static_cast<std::size_t>(num_columns));
        for (; entry < end; ++entry) expected.back()[block.columns[entry]] = block.values[entry];
      }
    }
    for (const Storage storage : {Storage::automatic, Storage::dense, Storage::sparse}) {
      FeatureCollector collector("x", storage, 3);
      for (const Block& block : blocks) collector.add(block.rows());
      const FeatureMatrix matrix = collector.finish();
      ASSERT_EQ(cells(matrix), expected) << seed;
      const bool dense = std::holds_alternative<DenseMatrix>(matrix);
      const bool many = 4 * num_written >= static_cast<double>(num_rows * num_columns);
      EXPECT_EQ(dense, storage == Storage::dense || (storage == Storage::automatic && many));
    }
  }
}

TEST(FeatureCollectorTest, is_dense_from_a_quarter_of_the_matrix_on) {
  for (const bool extra : {false, true}) {
    FeatureCollector collector("x", Storage::automatic, 8);
    Block block;
    block.columns = {0, 7, 2};
    block.values = {1, 0, 3};  // a zero that is written counts
    block.row_ends = extra ? std::vector<std::size_t>{2, 3} : std::vector<std::size_t>{2};
    block.num_columns = 8;
    collector.add(block.rows());
    EXPECT_EQ(std::holds_alternative<DenseMatrix>(collector.finish()), !extra);
  }
}

TEST(FeatureCollectorTest, refuses_a_dense_matrix_larger_than_memory) {
  FeatureCollector collector("big.txt", Storage::dense, 4294967295);
  const Block block{std::vector<std::size_t>(1000), {}, {}, 0};
  try {
    collector.add(block.rows());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "big.txt: 1000 documents by 4294967295 features as a dense matrix are more than "
                 "this machine's memory: storage = sparse would hold them");
  }
}

TEST(FeatureCollectorTest, of_no_rows_is_an_empty_matrix) {
  for (const Storage storage : {Storage::automatic, Storage::dense, Storage::sparse}) {
    const FeatureMatrix matrix = FeatureCollector("x", storage, 5).finish();
    EXPECT_TRUE(cells(matrix).empty());
    EXPECT_EQ(std::visit([](const auto& m) { return m.num_columns; }, matrix), 5);
  }
}

TEST(FeatureCollectorTest, takes_rows_without_entries_first) {
  for (const Storage storage : {Storage::automatic, Storage::dense, Storage::sparse}) {
    FeatureCollector collector("x", storage, 0);
    collector.add(Block{{0, 0}, {}, {}, 0}.rows());
    collector.add(Block{{2}, {0, 1}, {5, 6}, 2}.rows());
    EXPECT_EQ(cells(collector.finish()), (std::vector<std::vector<float>>{{0, 0}, {0, 0}, {5, 6}}));
  }
}

TEST(FeatureCollectorTest, permutes_dense_rows_in_place) {
  std::mt19937 random(4);
  for (const std::size_t num_rows : {1UL, 2UL, 7UL, 100UL}) {
    const Block block = random_block(random, num_rows, 6, 0.7);
    FeatureCollector plain("x", Storage::dense, 6);
    FeatureCollector moved("x", Storage::dense, 6);
    FeatureCollector sparse("x", Storage::sparse, 6);
    for (auto* collector : {&plain, &moved, &sparse}) collector->add(block.rows());
    std::vector<std::int64_t> order(num_rows);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    EXPECT_TRUE(moved.permute(order));
    EXPECT_FALSE(sparse.permute(order));
    const auto rows = cells(plain.finish());
    std::vector<std::vector<float>> expected;
    for (const auto row : order) expected.push_back(rows[static_cast<std::size_t>(row)]);
    EXPECT_EQ(cells(moved.finish()), expected);
    EXPECT_EQ(cells(sparse.finish()), rows);
  }
}

TEST(FeatureCollectorTest, turns_one_storage_into_the_other_and_back) {
  std::mt19937 random(9);
  FeatureCollector collector("x", Storage::dense, 0);
  collector.add(random_block(random, 20, 30, 0.5).rows());
  const FeatureMatrix dense = collector.finish();
  const FeatureMatrix sparse = stored_as("x", dense, Storage::sparse, 0);
  EXPECT_TRUE(std::holds_alternative<CsrMatrix>(sparse));
  EXPECT_EQ(cells(sparse), cells(dense));
  const FeatureMatrix wider = stored_as("x", sparse, Storage::dense, 32);
  auto expected = cells(dense);
  for (auto& row : expected) row.resize(32);
  EXPECT_EQ(cells(wider), expected);
}

}  // namespace
}  // namespace rankine
