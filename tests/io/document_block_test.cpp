#include "io/document_block.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

const std::vector<std::size_t> kEnds{2, 2, 5};
const std::vector<std::uint32_t> kColumns{0, 3, 1, 2, 9};
const std::vector<float> kValues{1, 2, 3, 0, 5};

TEST(SetFeatures, leaves_out_later_columns_of_entries) {
  DocumentBlock block;
  set_features(block, {kEnds, kColumns, kValues, 10}, true, 4);
  const auto& dense = std::get<DenseMatrix>(block.documents.features);
  EXPECT_EQ(dense.num_rows, 3);
  EXPECT_EQ(std::vector<float>(dense.values.begin(), dense.values.end()),
            (std::vector<float>{1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0}));
}

TEST(SetFeatures, keeps_no_zeros_when_sparse) {
  DocumentBlock block;
  set_features(block, {kEnds, kColumns, kValues, 10}, false, 4);
  const auto& sparse = std::get<CsrMatrix>(block.documents.features);
  EXPECT_EQ(sparse.num_columns, 4);
  EXPECT_EQ(block.row_offsets, (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(block.columns, (std::vector<std::uint32_t>{0, 3, 1}));
  EXPECT_EQ(block.values, (std::vector<float>{1, 2, 3}));
}

TEST(SetFeatures, cuts_and_widens_dense_rows) {
  DocumentBlock block;
  block.grades = {0, 0};
  const std::vector<float> rows{1, 0, 3, 4, 5, 6};
  set_features(block, rows, 3, true, 2);
  EXPECT_EQ(block.values, (std::vector<float>{1, 0, 4, 5}));
  set_features(block, rows, 3, true, 4);
  EXPECT_EQ(block.values, (std::vector<float>{1, 0, 3, 0, 4, 5, 6, 0}));
  set_features(block, rows, 3, false, 2);
  EXPECT_EQ(block.columns, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(block.row_offsets, (std::vector<std::int64_t>{0, 1, 3}));
}

}  // namespace
}  // namespace rankine
