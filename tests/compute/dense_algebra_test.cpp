#include "compute/dense_algebra.hpp"

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

TEST(CholeskyFactor, tells_a_matrix_that_has_none) {
  EXPECT_TRUE(CholeskyFactor({1, 2, 2, 1}, 2).not_positive_definite());
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
