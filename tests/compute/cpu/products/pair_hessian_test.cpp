#include "compute/cpu/products/pair_hessian.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

/// M + M^T against X^T (H X) one column at a time.
void expect_equal_to_products(double offset, const std::vector<QuadraticPiece>& pieces) {
  constexpr std::size_t kWidth = 5;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const PiecewiseQuadraticPairs loss("", pieces);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t size = 1 + random() % 60;
    const auto query = oracles::random_query(random, size, 1 + repeat % 8, repeat % 2 == 0);
    std::vector<float> rows(size * kWidth);
    for (float& value : rows) value = static_cast<float>(offset + normal(random));
    std::vector<double> half(kWidth * kWidth);
    PairHessian hessian(kWidth);
    hessian.add(SampledRows(rows.data(), kWidth), query.documents(), query.point(), pieces, 0.5,
                half);
    hessian.finish(half);
    for (std::size_t b = 0; b < kWidth; ++b) {
      std::vector<double> column(size);
      std::vector<double> image(size);
      for (std::size_t doc = 0; doc < size; ++doc) {
        column[doc] = static_cast<double>(rows[doc * kWidth + b]);
      }
      loss.hessian_times(query.documents(), query.point(), column, image);
      for (std::size_t a = 0; a < kWidth; ++a) {
        double expected = 0;
        for (std::size_t doc = 0; doc < size; ++doc) {
          expected += 0.5 * static_cast<double>(rows[doc * kWidth + a]) * image[doc];
        }
        EXPECT_NEAR(half[a * kWidth + b] + half[b * kWidth + a], expected,
                    1e-4 * static_cast<double>(size * size));
      }
    }
  }
}

TEST(PairHessian, equals_one_product_a_column) {
  expect_equal_to_products(0, squared_hinge_pieces());
  expect_equal_to_products(0, huber_pieces());
}

TEST(PairHessian, keeps_its_digits_when_features_are_far_from_zero) {
  expect_equal_to_products(2000, squared_hinge_pieces());
}

}  // namespace
}  // namespace rankine
