#include "solvers/conjugate_gradient.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

class ConjugateGradientTest : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 12;
  ConjugateGradientTest() : matrix_(kSize * kSize), solution_(kSize), right_(kSize) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> root(kSize * kSize);
    for (double& value : root) value = normal(random);
    for (std::size_t a = 0; a < kSize; ++a) {
      for (std::size_t b = 0; b < kSize; ++b) {
        for (std::size_t k = 0; k < kSize; ++k) {
          matrix_[a * kSize + b] += root[a * kSize + k] * root[b * kSize + k];
        }
      }
      matrix_[a * kSize + a] += 1 + 100 * static_cast<double>(a);
      solution_[a] = normal(random);
    }
    times(solution_, right_);
  }
  void times(std::span<const double> in, std::span<double> out) const {
    for (std::size_t a = 0; a < kSize; ++a) {
      out[a] = 0;
      for (std::size_t b = 0; b < kSize; ++b) out[a] += matrix_[a * kSize + b] * in[b];
    }
  }
  std::vector<double> matrix_;
  std::vector<double> solution_;
  std::vector<double> right_;
};

TEST_F(ConjugateGradientTest, solves_with_and_without_a_preconditioner) {
  const auto product = [this](auto in, auto out) { times(in, out); };
  const auto jacobi = [this](std::span<double> v) {
    for (std::size_t k = 0; k < kSize; ++k) v[k] /= matrix_[k * kSize + k];
  };
  std::vector<double> x(kSize);
  const int plain = conjugate_gradient(product, {}, right_, 1e-12, 200, x);
  for (std::size_t k = 0; k < kSize; ++k) EXPECT_NEAR(x[k], solution_[k], 1e-8);
  const int preconditioned = conjugate_gradient(product, jacobi, right_, 1e-12, 200, x);
  for (std::size_t k = 0; k < kSize; ++k) EXPECT_NEAR(x[k], solution_[k], 1e-8);
  EXPECT_LE(preconditioned, plain);
}

TEST_F(ConjugateGradientTest, stops_at_its_limit_and_at_a_zero_right_hand_side) {
  const auto product = [this](auto in, auto out) { times(in, out); };
  std::vector<double> x(kSize);
  EXPECT_EQ(conjugate_gradient(product, {}, right_, 1e-12, 3, x), 3);
  EXPECT_EQ(conjugate_gradient(product, {}, std::vector<double>(kSize), 1e-12, 9, x), 0);
  EXPECT_EQ(x, std::vector<double>(kSize));
}

}  // namespace
}  // namespace rankine
