#include "losses/pairs/logistic_pieces.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace rankine {
namespace {

double approximation(double t) {
  double sum = 0;
  for (const QuadraticPiece& piece : logistic_pieces()) {
    sum += piece.coefficient * std::pow(std::max(0.0, piece.margin - t), 2);
  }
  return sum;
}

double curvature(double t) {
  double sum = 0;
  for (const QuadraticPiece& piece : logistic_pieces()) {
    sum += t < piece.margin ? 2 * piece.coefficient : 0;
  }
  return sum;
}

TEST(LogisticPieces, largest_error_is_the_one_stated_and_no_smaller_claim_would_hold) {
  double worst = 0;
  for (int k = -30000; k <= 30000; ++k) {
    const double t = 1e-3 * k;
    const double exact = std::log1p(std::exp(-std::abs(t))) + std::max(0.0, -t);
    worst = std::max(worst, std::abs(approximation(t) - exact));
  }
  EXPECT_LE(worst, kLogisticError);
  EXPECT_GT(worst, 0.9 * kLogisticError);
}

TEST(LogisticPieces, approximation_is_convex_and_linear_far_out) {
  for (int k = -10000; k <= 10000; ++k) EXPECT_GE(curvature(1e-3 * k), -1e-15);
  EXPECT_EQ(approximation(8), 0);
  EXPECT_NEAR(approximation(-8), 8, 1e-12);
  EXPECT_NEAR(approximation(-500), 500, 1e-9);
}

}  // namespace
}  // namespace rankine
