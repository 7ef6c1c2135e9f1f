#include "linalg/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Positive definite, symmetric.
template <class T>
std::vector<T> definite(std::size_t size) {
  std::mt19937_64 random(size);
  std::normal_distribution<double> normal;
  std::vector<double> root(size * size);
  for (double& value : root) value = normal(random);
  std::vector<T> matrix(size * size);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      double sum = a == b ? 1 : 0;
      for (std::size_t k = 0; k < size; ++k) sum += root[a * size + k] * root[b * size + k];
      matrix[a * size + b] = static_cast<T>(sum);
    }
  }
  return matrix;
}

/// Entry (row, column) of U'U, for U the upper triangle of a column-major matrix.
template <class T>
double entry_of_product(const std::vector<T>& factor, std::size_t size, std::size_t row,
                        std::size_t column) {
  double sum = 0;
  for (std::size_t k = 0; k <= std::min(row, column); ++k) {
    sum += static_cast<double>(factor[row * size + k]) *
           static_cast<double>(factor[column * size + k]);
  }
  return sum;
}

template <class T>
void expect_factor(std::size_t size, double tolerance) {
  const auto matrix = definite<T>(size);
  auto factor = matrix;
  for (std::size_t column = 0; column < size; ++column) {  // the rest is not read
    for (std::size_t row = column + 1; row < size; ++row) {
      factor[column * size + row] = std::numeric_limits<T>::quiet_NaN();
    }
  }
  ASSERT_TRUE(lapack::factor(static_cast<std::int64_t>(size), factor.data()));
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      EXPECT_NEAR(entry_of_product(factor, size, a, b), static_cast<double>(matrix[a * size + b]),
                  tolerance * static_cast<double>(size));
    }
  }
}

TEST(Lapack, factors_positive_definite_matrices_in_both_precisions) {
  for (const std::size_t size : {1U, 7U, 150U}) {
    expect_factor<double>(size, 1e-12);
    expect_factor<float>(size, 1e-4);
  }
}

TEST(Lapack, tells_what_is_not_positive_definite) {
  std::vector<double> wrong{1, 2, 2, 1};
  EXPECT_FALSE(lapack::factor(2, wrong.data()));
  std::vector<float> single{1, 2, 2, 1};
  EXPECT_FALSE(lapack::factor(2, single.data()));
  EXPECT_TRUE(lapack::factor(0, wrong.data()));
}

TEST(Lapack, pivots_from_the_largest) {
  std::vector<double> matrix{1, 0, 0, 0, 9, 0, 0, 0, 4};
  std::vector<int> pivots(3);
  EXPECT_EQ(lapack::factor_pivoted(3, matrix.data(), pivots, 2), 2);
  EXPECT_EQ(pivots[0], 1);
  EXPECT_EQ(pivots[1], 2);
  EXPECT_EQ(matrix[0], 3);
}

TEST(Lapack, eigenpairs_satisfy_their_equation_whether_all_or_the_largest) {
  constexpr std::size_t kSize = 60;
  constexpr std::size_t kCount = 4;
  const auto matrix = definite<double>(kSize);
  auto all = matrix;
  std::vector<double> values(kSize);
  ASSERT_TRUE(lapack::eigenpairs(kSize, all.data(), values));
  auto scratch = matrix;
  std::vector<double> top_values(kCount);
  std::vector<double> top(kSize * kCount);
  ASSERT_TRUE(lapack::top_eigenpairs(kSize, scratch.data(), kCount, top_values, top));
  const auto expect_pair = [&](double value, const double* vector) {
    for (std::size_t row = 0; row < kSize; ++row) {
      double image = 0;
      for (std::size_t k = 0; k < kSize; ++k) image += matrix[row * kSize + k] * vector[k];
      EXPECT_NEAR(image, value * vector[row], 1e-10);
    }
  };
  for (std::size_t k = 0; k < kSize; ++k) {
    if (k > 0) {
      EXPECT_LE(values[k - 1], values[k]);
    }
    expect_pair(values[k], all.data() + k * kSize);
  }
  for (std::size_t k = 0; k < kCount; ++k) {
    EXPECT_NEAR(top_values[k], values[kSize - kCount + k], 1e-10);
    expect_pair(top_values[k], top.data() + k * kSize);
  }
}

TEST(Lapack, refuses_to_decompose_what_is_not_finite) {
  for (const double wrong : {kInfinity, -kInfinity, kNoNumber}) {
    std::vector<double> values(2);
    std::vector<double> vectors(4);
    std::vector<double> matrix{1, 0, wrong, 1};
    EXPECT_FALSE(lapack::eigenpairs(2, matrix.data(), values));
    EXPECT_FALSE(lapack::top_eigenpairs(2, matrix.data(), 2, values, vectors));
    std::vector<double> diagonal{1, wrong};
    std::vector<double> beside{1, 0};
    EXPECT_FALSE(lapack::tridiagonal_eigenvalues(diagonal, beside));
  }
}

TEST(Lapack, finds_the_eigenvalues_of_a_chain) {
  constexpr std::size_t kSize = 12;  // 2 on the diagonal and -1 beside: 2 - 2 cos(k pi / (n + 1))
  std::vector<double> diagonal(kSize, 2.0);
  std::vector<double> beside(kSize, -1.0);
  ASSERT_TRUE(lapack::tridiagonal_eigenvalues(diagonal, beside));
  for (std::size_t k = 0; k < kSize; ++k) {
    const double angle = static_cast<double>(k + 1) * std::acos(-1.0) / (kSize + 1);
    EXPECT_NEAR(diagonal[k], 2 - 2 * std::cos(angle), 1e-14);
  }
}

TEST(Lapack, orthonormalises_in_the_given_order_and_direction) {
  std::vector<double> columns{0, 2, 0, -1, 5, 0, 3, 3, -4};
  lapack::orthonormalise(3, 3, columns.data());
  const std::vector<double> expected{0, 1, 0, -1, 0, 0, 0, 0, -1};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(columns[k], expected[k], 1e-15);
}

}  // namespace
}  // namespace rankine
