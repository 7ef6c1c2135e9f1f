#include "data/scaling/constant_columns.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

using Columns = std::vector<std::int64_t>;

TEST(ConstantColumns, are_those_with_one_value_dense) {
  const DenseMatrix matrix{3, 4, std::vector<float>{1, 0, 2, 5, 1, 0, 2, 5, 1, 0, 3, 5}};
  EXPECT_EQ(constant_columns(matrix), (Columns{0, 1, 3}));
}

TEST(ConstantColumns, of_sparse_rows_count_what_is_not_stored_as_0) {
  // Rows: (0, 2, 7, 0), (0, 2, 0, 0): column 2 is stored once, column 1 always, 0 and 3 never.
  const CsrMatrix matrix{2, 4, std::vector<std::int64_t>{0, 2, 3},
                         std::vector<std::uint32_t>{1, 2, 1}, std::vector<float>{2, 7, 2}};
  EXPECT_EQ(constant_columns(matrix), (Columns{0, 1, 3}));
}

TEST(ConstantColumns, agree_between_dense_and_sparse) {
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Dataset dense =
        oracles::random_dataset(random, {.queries = 1, .most_documents = 4, .features = 6});
    EXPECT_EQ(constant_columns(dense.features),
              constant_columns(oracles::as_sparse(dense).features));
  }
}

TEST(ConstantColumns, are_all_of_them_in_a_single_row) {
  EXPECT_EQ(constant_columns(DenseMatrix{1, 2, std::vector<float>{1, 2}}), (Columns{0, 1}));
}

}  // namespace
}  // namespace rankine
