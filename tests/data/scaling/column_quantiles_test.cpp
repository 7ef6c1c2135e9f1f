#include "data/scaling/column_quantiles.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_scaling.hpp"

namespace rankine {
namespace {

DenseMatrix one_column(std::vector<float> values) {
  return {std::ssize(values), 1, std::move(values)};
}

CsrMatrix sparse_of(const DenseMatrix& matrix) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    const auto from = matrix.row(row);
    for (std::size_t column = 0; column < from.size(); ++column) {
      if (from[column] == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(column));
      values.push_back(from[column]);
    }
    offsets.push_back(std::ssize(values));
  }
  return {matrix.num_rows, matrix.num_columns, offsets, columns, values};
}

DenseMatrix random_matrix(std::int64_t rows, std::int64_t columns, unsigned different) {
  std::mt19937 random(3);
  std::vector<float> values;
  for (std::int64_t k = 0; k < rows * columns; ++k) {
    const auto value = static_cast<float>(random() % different) - 3;
    values.push_back(random() % 3 == 0 ? 0 : value);
  }
  return {rows, columns, values};
}

TEST(ColumnQuantiles, give_ties_the_middle_of_their_ranks) {
  const auto result = column_quantiles(one_column({5, 1, 5, 9, 5}), 1000, 1);
  EXPECT_EQ(result.knots, (std::vector<double>{1, 5, 9}));
  EXPECT_EQ(result.levels, (std::vector<double>{0, 0.5, 1}));
}

TEST(ColumnQuantiles, equal_the_mid_ranks_of_all_values) {
  const DenseMatrix matrix = random_matrix(120, 11, 7);
  const auto result = column_quantiles(matrix, 1000, 1);
  for (std::size_t column = 0; column < 11; ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < 120; ++row) values.push_back(matrix.values[row * 11 + column]);
    for (auto k = static_cast<std::size_t>(result.offsets[column]);
         k < static_cast<std::size_t>(result.offsets[column + 1]); ++k) {
      EXPECT_DOUBLE_EQ(result.levels[k], oracles::naive_distribution(values, result.knots[k]));
    }
  }
}

TEST(ColumnQuantiles, of_many_values_keep_the_ends_and_are_within_one_step) {
  std::vector<float> values(100000);
  std::mt19937 random(4);
  for (float& value : values) {
    const auto u = static_cast<float>(random() % 1000000) / 1e6F;
    value = random() % 2 == 0 ? 0.25F : u * u;
  }
  const auto result = column_quantiles(one_column(values), 1000, 1);
  std::sort(values.begin(), values.end());
  EXPECT_LE(result.knots.size(), 1000U);
  EXPECT_EQ(result.knots.front(), values.front());
  EXPECT_EQ(result.knots.back(), values.back());
  EXPECT_TRUE(std::find(result.knots.begin(), result.knots.end(), 0.25) != result.knots.end());
  for (std::size_t k = 1; k < result.knots.size(); ++k) {
    ASSERT_LT(result.knots[k - 1], result.knots[k]);
    ASSERT_LT(result.levels[k - 1], result.levels[k]);
    // A step is 1 / 999 but for the few values that are there more than once.
    const bool at_ties = result.knots[k] == 0.25 || result.knots[k - 1] == 0.25;
    if (!at_ties) {
      ASSERT_LE(result.levels[k] - result.levels[k - 1], 1.1 / 999);
    }
  }
}

double level_at(const ColumnQuantiles& quantiles, double x) {
  const auto above =
      static_cast<std::size_t>(std::lower_bound(quantiles.knots.begin(), quantiles.knots.end(), x) -
                               quantiles.knots.begin());
  if (quantiles.knots[above] == x) return quantiles.levels[above];
  const double share =
      (x - quantiles.knots[above - 1]) / (quantiles.knots[above] - quantiles.knots[above - 1]);
  return quantiles.levels[above - 1] +
         share * (quantiles.levels[above] - quantiles.levels[above - 1]);
}

TEST(ColumnQuantiles, of_many_values_are_near_those_of_all_values_even_beside_heavy_ties) {
  std::mt19937 random(6);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<float> values(5000);
    for (float& value : values) {
      const bool tied = random() % 4 < static_cast<unsigned>(repeat % 4);
      value = static_cast<float>(tied ? random() % 3 * 50000 : random() % 100000) / 1000 - 20;
    }
    const auto all = column_quantiles(one_column(values), 5000, 1);
    const auto some = column_quantiles(one_column(values), 100, 1);
    ASSERT_LE(some.knots.size(), 100U);
    for (const float value : values) {
      ASSERT_NEAR(level_at(some, value), level_at(all, value), 5.0 / 100);
    }
  }
}

TEST(ColumnQuantiles, count_the_zeros_of_sparse_rows) {
  for (const unsigned different : {2U, 7U, 100000U}) {
    const DenseMatrix dense = random_matrix(3000, 5, different);
    for (const std::int64_t max_knots : {2, 10, 1000}) {
      const auto from_dense = column_quantiles(dense, max_knots, 1);
      const auto from_sparse = column_quantiles(sparse_of(dense), max_knots, 1);
      EXPECT_EQ(from_dense.offsets, from_sparse.offsets);
      EXPECT_EQ(from_dense.knots, from_sparse.knots);
      EXPECT_EQ(from_dense.levels, from_sparse.levels);
    }
  }
}

TEST(ColumnQuantiles, depend_neither_on_threads_nor_on_the_order_of_rows) {
  const DenseMatrix matrix = random_matrix(4000, 19, 100000);
  std::vector<float> backwards;
  for (std::int64_t row = matrix.num_rows; row-- > 0;) {
    const auto values = matrix.row(row);
    backwards.insert(backwards.end(), values.begin(), values.end());
  }
  const auto one = column_quantiles(matrix, 100, 1);
  for (const auto& other :
       {column_quantiles(matrix, 100, 3),
        column_quantiles(DenseMatrix{matrix.num_rows, matrix.num_columns, backwards}, 100, 2)}) {
    EXPECT_EQ(one.offsets, other.offsets);
    EXPECT_EQ(one.knots, other.knots);
    EXPECT_EQ(one.levels, other.levels);
  }
}

TEST(ColumnQuantiles, of_constant_columns_or_single_rows_are_none) {
  EXPECT_TRUE(column_quantiles(one_column({3, 3, 3}), 10, 1).knots.empty());
  EXPECT_TRUE(column_quantiles(one_column({3}), 10, 1).knots.empty());
  EXPECT_TRUE(column_quantiles(one_column({}), 10, 1).knots.empty());
  EXPECT_EQ(
      column_quantiles(CsrMatrix{4, 2, std::vector<std::int64_t>{0, 0, 0, 0, 0}, {}, {}}, 10, 1)
          .offsets,
      (std::vector<std::int64_t>{0, 0, 0}));
}

}  // namespace
}  // namespace rankine
