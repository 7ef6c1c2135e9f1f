#include "objectives/ranking_objective.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

class RankingObjectiveTest : public testing::Test {
 protected:
  std::vector<double> random_vector() {
    std::normal_distribution<double> normal;
    std::vector<double> vector(7);
    for (double& value : vector) value = 0.3 * normal(random_);
    return vector;
  }
  std::mt19937_64 random_{21};
  Dataset data_ = oracles::random_dataset(random_, {});
  QueryTable table_{data_, Normalisation::none, 1};
  QuerySweep sweep_{data_, table_, kLoss, 1};
  RankingObjective objective_{sweep_, 0.1};
};

TEST_F(RankingObjectiveTest, gradient_agrees_with_finite_differences) {
  const auto weights = random_vector();
  const auto point = objective_.at(weights);
  constexpr double kStep = 1e-5;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    auto up = weights;
    auto down = weights;
    up[f] += kStep;
    down[f] -= kStep;
    const double slope = (objective_.at(up)->value - objective_.at(down)->value) / (2 * kStep);
    EXPECT_NEAR(point->gradient[f], slope, 1e-5 * (1 + std::abs(slope)));
  }
}

TEST_F(RankingObjectiveTest, hessian_product_agrees_with_differences_of_gradients) {
  const auto weights = random_vector();
  const auto direction = random_vector();
  const auto point = objective_.at(weights);
  std::vector<double> product(7);
  objective_.hessian_times(*point, direction, product);
  constexpr double kStep = 1e-7;  // so small that few pairs become active on the way
  auto moved = weights;
  for (std::size_t f = 0; f < 7; ++f) moved[f] += kStep * direction[f];
  const auto there = objective_.at(moved);
  for (std::size_t f = 0; f < 7; ++f) {
    EXPECT_NEAR(product[f], (there->gradient[f] - point->gradient[f]) / kStep,
                1e-4 * (1 + std::abs(product[f])));
  }
}

TEST_F(RankingObjectiveTest, along_a_segment_agrees_with_points_on_it) {
  const auto a = objective_.at(random_vector());
  const auto b = objective_.at(random_vector());
  for (const double t : {0.0, 0.25, 1.0}) {
    std::vector<double> weights(7);
    for (std::size_t f = 0; f < 7; ++f) {
      weights[f] = a->weights[f] + t * (b->weights[f] - a->weights[f]);
    }
    const auto point = objective_.at(weights);
    const LineValue line = objective_.between(*a, *b, t);
    EXPECT_NEAR(line.value, point->value, 1e-9 * point->value);
    double slope = 0;
    for (std::size_t f = 0; f < 7; ++f)
      slope += point->gradient[f] * (b->weights[f] - a->weights[f]);
    EXPECT_NEAR(line.slope, slope, 1e-8 * (1 + std::abs(slope)));
  }
}

}  // namespace
}  // namespace rankine
