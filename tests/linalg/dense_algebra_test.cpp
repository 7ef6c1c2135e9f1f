#include "linalg/dense_algebra.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(CholeskyFactor, solves_what_it_factored) {
  const CholeskyFactor factor({4, 2, 0.5, 2, 5, 1, 0.5, 1, 3}, 3);
  ASSERT_FALSE(factor.not_positive_definite());
  std::vector<double> vector{4 + 4 + 1.5, 2 + 10 + 3, 0.5 + 2 + 9};  // the matrix times (1, 2, 3)
  factor.solve(vector);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(vector[k], static_cast<double>(k + 1), 1e-12);
}

TEST(CholeskyFactor, solves_matrices_of_every_size) {
  for (const std::size_t size : {1U, 2U, 46U, 64U, 65U, 130U}) {
    std::mt19937_64 random(size);
    std::normal_distribution<double> normal;
    std::vector<double> root(size * size);
    for (double& value : root) value = normal(random);
    std::vector<double> matrix(size * size);
    std::vector<double> image(size);  // the matrix times (1, 2, 3, ...)
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double& entry = matrix[i * size + j] = i == j ? 1.0 : 0.0;
        for (std::size_t k = 0; k < size; ++k) entry += root[i * size + k] * root[j * size + k];
        image[i] += entry * static_cast<double>(j + 1);
      }
    }
    for (std::size_t i = 0; i < size; ++i) {  // the upper triangle is not read
      for (std::size_t j = i + 1; j < size; ++j) matrix[i * size + j] = 1e9;
    }
    const CholeskyFactor factor(matrix, static_cast<std::int64_t>(size));
    ASSERT_FALSE(factor.not_positive_definite());
    factor.solve(image);
    for (std::size_t k = 0; k < size; ++k) {
      EXPECT_NEAR(image[k], static_cast<double>(k + 1), 1e-8) << size;
    }
  }
}

TEST(CholeskyFactor, tells_a_matrix_that_has_none) {
  EXPECT_TRUE(CholeskyFactor({1, 2, 2, 1}, 2).not_positive_definite());
  std::vector<double> large(100 * 100);
  for (std::size_t k = 0; k < 100; ++k) large[k * 101] = k == 70 ? 0 : 1;
  EXPECT_TRUE(CholeskyFactor(large, 100).not_positive_definite());
}

TEST(AddCrossProducts, adds_left_transposed_times_right) {
  const std::vector<float> left{1, 2, 3, 4};
  const std::vector<float> right{5, 6, 7, 8};
  std::vector<double> target(4, 1.0);
  std::vector<float> scratch;
  add_cross_products(left.data(), right.data(), 2, 2, target, scratch);
  EXPECT_EQ(target, (std::vector<double>{27, 31, 39, 45}));
}

}  // namespace
}  // namespace rankine
