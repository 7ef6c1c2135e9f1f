#include "linalg/symmetric_eigen.hpp"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

TEST(SymmetricEigen, puts_the_matrix_together_again) {
  constexpr std::size_t kSize = 17;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> matrix(kSize * kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      matrix[i * kSize + j] = matrix[j * kSize + i] = normal(random);
    }
  }
  const SymmetricEigen eigen(matrix, kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < kSize; ++k) {
        sum += eigen.vector(k)[i] * eigen.values()[k] * eigen.vector(k)[j];
      }
      EXPECT_NEAR(sum, matrix[i * kSize + j], 1e-12);
    }
  }
  std::vector<double> vector(kSize, 1.0);
  std::vector<double> there(kSize);
  std::vector<double> back(kSize);
  eigen.to_eigenbasis(vector, there);
  eigen.from_eigenbasis(there, back);
  for (const double value : back) EXPECT_NEAR(value, 1.0, 1e-13);
}

TEST(SymmetricEigen, reads_the_lower_triangle_alone) {
  const SymmetricEigen eigen({2, 99, 0, 3}, 2);
  EXPECT_NEAR(eigen.values()[0], 2, 1e-15);
  EXPECT_NEAR(eigen.values()[1], 3, 1e-15);
}

TEST(SymmetricEigen, of_nothing_is_nothing) {
  EXPECT_EQ(SymmetricEigen({}, 0).size(), 0U);
}

TEST(SymmetricEigen, refuses_entries_that_are_not_numbers) {
  EXPECT_THROW(SymmetricEigen({std::numeric_limits<double>::quiet_NaN()}, 1), Error);
}

}  // namespace
}  // namespace rankine
