#include "objectives/ranking_objective.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
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
  CpuLossEvaluator sweep_{data_, table_, kLoss, 1};
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

TEST_F(RankingObjectiveTest, a_forgotten_point_still_gives_the_same_bits) {
  const auto direction = random_vector();
  const auto a = objective_.at(random_vector());
  const auto b = objective_.at(random_vector());
  std::vector<double> product(7);
  std::vector<double> hessian(49);
  objective_.hessian_times(*a, direction, product);
  objective_.hessian(*a, 1, hessian);
  const LineValue line = objective_.between(*a, *b, 0.3);
  std::vector<double> product_again(7);
  std::vector<double> hessian_again(49);
  objective_.forget(*a);
  objective_.hessian_times(*a, direction, product_again);
  EXPECT_EQ(product_again, product);
  objective_.forget(*a);
  objective_.hessian(*a, 1, hessian_again);
  EXPECT_EQ(hessian_again, hessian);
  objective_.forget(*a);
  objective_.forget(*b);
  const LineValue line_again = objective_.between(*a, *b, 0.3);
  EXPECT_EQ(line_again.value, line.value);
  EXPECT_EQ(line_again.slope, line.slope);
}

TEST_F(RankingObjectiveTest, points_of_a_path_agree_with_points_made_alone) {
  const RankingPath path(sweep_, {0.01, 0.1});
  const std::vector<std::size_t> indices{0, 1};
  const std::vector<std::vector<double>> weights{random_vector(), random_vector()};
  const std::vector<std::vector<double>> directions{random_vector(), random_vector()};
  const auto points = path.at(indices, weights, Accuracy::full);
  const std::vector<const SmoothPath::Point*> seen{points[0].get(), points[1].get()};
  for (const bool forgotten : {false, true}) {
    std::vector<std::vector<double>> images(2);
    path.hessian_times(indices, seen, directions, images);
    for (const std::size_t k : indices) {
      const auto alone = path.problem(k).at(weights[k]);
      std::vector<double> image(7);
      path.problem(k).hessian_times(*alone, directions[k], image);
      EXPECT_NEAR(points[k]->value, alone->value, 1e-12 * alone->value);
      for (std::size_t f = 0; f < 7; ++f) {
        EXPECT_NEAR(points[k]->gradient[f], alone->gradient[f],
                    1e-11 * (1 + std::abs(alone->gradient[f])));
        EXPECT_NEAR(images[k][f], image[f], 1e-5 * (1 + std::abs(image[f]))) << forgotten;
      }
      path.problem(k).forget(*points[k]);
    }
  }
}

}  // namespace
}  // namespace rankine
