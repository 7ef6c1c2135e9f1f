#include "linalg/symmetric_factors.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// B B^T for B of size x rank.
std::vector<double> low_rank(std::mt19937_64& random, std::size_t size, std::size_t rank) {
  std::normal_distribution<double> normal;
  std::vector<double> root(size * rank);
  for (double& value : root) value = normal(random);
  std::vector<double> matrix(size * size);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      for (std::size_t k = 0; k < rank; ++k) {
        matrix[a * size + b] += root[a * rank + k] * root[b * rank + k];
      }
    }
  }
  return matrix;
}

TEST(PivotedCholesky, finds_the_rank_and_factors_the_pivots) {
  std::mt19937_64 random(1);
  const auto matrix = low_rank(random, 30, 7);
  const PivotedCholesky result = pivoted_cholesky(matrix, 30, 1e-9);
  ASSERT_EQ(result.pivots.size(), 7U);
  EXPECT_NEAR(result.remaining, 0, 1e-9);
  for (std::size_t a = 0; a < 7; ++a) {
    for (std::size_t b = 0; b < 7; ++b) {
      double sum = 0;
      for (std::size_t k = 0; k < 7; ++k)
        sum += result.factor[a * 7 + k] * result.factor[b * 7 + k];
      EXPECT_NEAR(sum, matrix[static_cast<std::size_t>(result.pivots[a] * 30 + result.pivots[b])],
                  1e-10);
    }
  }
}

TEST(PivotedCholesky, stops_at_the_largest_remaining_entry_and_says_what_is_left) {
  std::vector<double> matrix(16);
  for (const std::size_t k : {0U, 1U, 2U, 3U}) matrix[k * 5] = std::pow(0.1, k);
  const PivotedCholesky result = pivoted_cholesky(matrix, 4, 0.05);
  EXPECT_EQ(result.pivots, (std::vector<std::int64_t>{0, 1}));
  EXPECT_NEAR(result.remaining, 0.011, 1e-12);
  EXPECT_TRUE(pivoted_cholesky(std::vector<double>(9), 3, 0).pivots.empty());
}

TEST(LargestEigenpairs, fall_and_satisfy_their_equation) {
  std::mt19937_64 random(2);
  const auto matrix = low_rank(random, 12, 12);
  const Eigenpairs pairs = largest_eigenpairs(matrix, 12, 5);
  ASSERT_EQ(pairs.values.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_LE(pairs.values[k], pairs.values[k == 0 ? 0 : k - 1]);
    for (std::size_t row = 0; row < 12; ++row) {
      double image = 0;
      for (std::size_t j = 0; j < 12; ++j) image += matrix[row * 12 + j] * pairs.vectors[j * 5 + k];
      EXPECT_NEAR(image, pairs.values[k] * pairs.vectors[row * 5 + k], 1e-9);
    }
  }
}

TEST(RowSolves, undo_the_factor) {
  std::mt19937_64 random(3);
  const auto matrix = low_rank(random, 9, 9);
  const PivotedCholesky result = pivoted_cholesky(matrix, 9, 0);
  ASSERT_EQ(result.pivots.size(), 9U);
  const std::vector<float> single(result.factor.begin(), result.factor.end());
  std::vector<float> rows;  // rows * L^T, to be undone
  std::vector<float> truth;
  for (std::size_t r = 0; r < 4; ++r) {
    std::vector<double> row;
    for (std::size_t k = 0; k < 9; ++k)
      row.push_back(static_cast<double>(r) - 0.5 * static_cast<double>(k));
    for (std::size_t k = 0; k < 9; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j <= k; ++j) sum += row[j] * result.factor[k * 9 + j];
      rows.push_back(static_cast<float>(sum));
      truth.push_back(static_cast<float>(row[k]));
    }
  }
  solve_rows(single, 9, rows.data(), 4);
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_NEAR(rows[k], truth[k], 1e-2F);
  std::vector<double> vector(9, 1.0);
  solve_transposed(result.factor, 9, vector);
  for (std::size_t k = 0; k < 9; ++k) {  // L^T vector = 1
    double sum = 0;
    for (std::size_t j = k; j < 9; ++j) sum += result.factor[j * 9 + k] * vector[j];
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(MultiplyRows, and_gram_equal_the_formula) {
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};     // 3 x 2
  const std::vector<float> matrix{1, 0, -1, 2, 1, 0};  // 2 x 3
  std::vector<float> out(9);
  multiply_rows(rows.data(), 3, 2, matrix, 3, out.data());
  EXPECT_EQ(out, (std::vector<float>{5, 2, -1, 11, 4, -3, 17, 6, -5}));
  std::vector<float> gram{1, 0, 0, 1};
  add_gram(rows.data(), 3, 2, gram);
  EXPECT_EQ(gram[0], 36);
  EXPECT_EQ(gram[2], 44);
  EXPECT_EQ(gram[3], 57);
}

TEST(SingleCholesky, solves_whatever_the_size_of_the_vector_and_tells_failure) {
  const std::vector<float> matrix{4, 0, 2, 3};
  const SingleCholesky factor(matrix, 2);
  ASSERT_FALSE(factor.failed());
  for (const double scale : {1.0, 1e60, 1e-60}) {
    std::vector<double> vector{8 * scale, 7 * scale};
    factor.solve(vector);
    EXPECT_NEAR(vector[0] / scale, 1.25, 1e-5);
    EXPECT_NEAR(vector[1] / scale, 1.5, 1e-5);
  }
  std::vector<double> zero(2);
  factor.solve(zero);
  EXPECT_EQ(zero, std::vector<double>(2));
  EXPECT_TRUE(SingleCholesky({1, 0, 2, 1}, 2).failed());
}

}  // namespace
}  // namespace rankine
