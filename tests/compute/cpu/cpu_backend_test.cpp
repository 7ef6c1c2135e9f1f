// That its operations are right is for tests/conformance to say; here is what is its own.
#include "compute/cpu/cpu_backend.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/hinge_pairs.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

class CpuBackendTest : public testing::Test {
 protected:
  static Dataset made(std::int64_t queries) {
    std::mt19937_64 random(3);
    return oracles::random_dataset(random, {.queries = queries, .features = 6});
  }
};

TEST_F(CpuBackendTest, has_the_bits_of_the_sweep_inside) {
  const Dataset data = made(40);
  const QueryTable table(data, Normalisation::total, 1);
  const QuerySweep sweep(data, table, kLoss, 1);
  const CpuLossEvaluator evaluator(data, table, kLoss, 1);
  const std::vector<double> weights{0.1, -0.3, 0.2, 0.4, -0.1, 0.3};
  QuerySweep::Point point;
  std::vector<double> gradient(6);
  const double loss = sweep.gradient(weights, point, gradient);
  const auto at = evaluator.at(weights, LossEvaluator::Keep::nothing);
  EXPECT_EQ(at->value, loss);
  EXPECT_EQ(at->gradient, gradient);
  std::vector<double> expected(6);
  std::vector<double> product(6);
  sweep.hessian_times(point, weights, expected);
  evaluator.hessian_times(*at, weights, product);
  EXPECT_EQ(product, expected);
}

TEST_F(CpuBackendTest, costs_of_matrices_rise_with_the_share_and_are_infinite_without_a_fast_form) {
  const Dataset data = made(40);
  const QueryTable table(data, Normalisation::none, 1);
  const CpuLossEvaluator dense(data, table, kLoss, 1);
  EXPECT_GT(dense.hessian_cost(0.1), 0);
  EXPECT_LT(dense.hessian_cost(0.1), dense.hessian_cost(1));
  EXPECT_LT(dense.gram_cost(0.1), dense.gram_cost(1));
  EXPECT_TRUE(std::isfinite(dense.hessian_cost(1)) && std::isfinite(dense.gram_cost(1)));
  const Dataset compressed = oracles::as_sparse(data);
  const CpuLossEvaluator sparse(compressed, table, kLoss, 1);
  EXPECT_TRUE(std::isinf(sparse.hessian_cost(1)) && std::isinf(sparse.gram_cost(1)));
  const HingePairs hinge(1);
  EXPECT_TRUE(std::isinf(dense.with_loss(hinge)->hessian_cost(1)));
}

TEST_F(CpuBackendTest, looks_at_all_of_small_data_and_at_a_share_of_large_data) {
  const Dataset small = made(40);
  const QueryTable small_table(small, Normalisation::none, 1);
  EXPECT_EQ(CpuLossEvaluator(small, small_table, kLoss, 1).enough_share(), 1);
  const Dataset large = made(3000);
  const QueryTable large_table(large, Normalisation::none, 1);
  const double share = CpuLossEvaluator(large, large_table, kLoss, 1).enough_share();
  EXPECT_LT(share, 1);
  EXPECT_GE(share, 20.0 * 6 / 3000);  // queries per column
}

}  // namespace
}  // namespace rankine
