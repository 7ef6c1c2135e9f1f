#include "features/row_lookup.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"

namespace rankine {
namespace {

TEST(RowLookup, finds_rows_by_what_they_hold) {
  const DenseMatrix dense = random_rows(20, 5);
  const DenseMatrix others = random_rows(20, 5, 2);
  for (const bool sparse : {false, true}) {
    const FeatureMatrix rows = sparse ? FeatureMatrix(sparse_form(dense)) : FeatureMatrix(dense);
    RowLookup lookup;
    lookup.add(take_rows(rows, std::vector<std::int64_t>{3, 17}));
    lookup.add(take_rows(rows, std::vector<std::int64_t>{5}));
    EXPECT_EQ(lookup.size(), 3U);
    EXPECT_EQ(lookup.find(rows, 3), 0U);
    EXPECT_EQ(lookup.find(rows, 17), 1U);
    EXPECT_EQ(lookup.find(rows, 5), 2U);
    EXPECT_EQ(lookup.find(rows, 4), std::nullopt);
    EXPECT_EQ(lookup.find(sparse ? FeatureMatrix(sparse_form(others)) : FeatureMatrix(others), 3),
              std::nullopt);
  }
}

TEST(RowLookup, tells_sparse_rows_of_the_same_values_in_other_columns_apart) {
  const CsrMatrix rows{3, 4, std::vector<std::int64_t>{0, 2, 4, 4},
                       std::vector<std::uint32_t>{0, 1, 0, 2}, std::vector<float>{1, 2, 1, 2}};
  RowLookup lookup;
  lookup.add(rows);
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(lookup.find(rows, row), static_cast<std::size_t>(row));
  }
}

TEST(IsSameMemory, is_true_for_copies_of_a_matrix_and_false_for_equal_ones) {
  const DenseMatrix dense = random_rows(8, 3);
  const FeatureMatrix copy = dense;
  EXPECT_TRUE(is_same_memory(copy, dense));
  EXPECT_FALSE(is_same_memory(random_rows(8, 3), dense));
  EXPECT_FALSE(is_same_memory(sparse_form(dense), dense));
  const FeatureMatrix sparse = sparse_form(dense);
  const FeatureMatrix sparse_copy = sparse;
  EXPECT_TRUE(is_same_memory(sparse, sparse_copy));
  EXPECT_FALSE(is_same_memory(sparse, sparse_form(dense)));
}

}  // namespace
}  // namespace rankine
