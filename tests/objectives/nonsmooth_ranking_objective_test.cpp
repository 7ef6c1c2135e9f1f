#include "objectives/nonsmooth_ranking_objective.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/scaling.hpp>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/hinge_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const HingePairs kHinge;

class RankingRiskTest : public testing::Test {
 protected:
  std::vector<double> random_vector() {
    std::normal_distribution<double> normal;
    std::vector<double> vector(7);
    for (double& value : vector) value = 0.5 * normal(random_);
    return vector;
  }
  std::mt19937_64 random_{21};
  Dataset data_ = oracles::random_dataset(random_, {});
  QueryTable table_{data_, Normalisation::none, 1};
  CpuLossEvaluator sweep_{data_, table_, kHinge, 1};
  NonsmoothRankingObjective objective_{sweep_, 0.1};
};

TEST_F(RankingRiskTest, lies_above_every_plane_it_gives) {
  for (int repeat = 0; repeat < 30; ++repeat) {
    const auto here = objective_.at(random_vector());
    const auto there = objective_.at(random_vector());
    double plane = here->risk;
    for (std::size_t f = 0; f < 7; ++f) {
      plane += here->slope[f] * (there->weights[f] - here->weights[f]);
    }
    EXPECT_GE(there->risk, plane - 1e-9 * (1 + here->risk));
  }
}

TEST_F(RankingRiskTest, lies_above_its_smoothings_and_their_planes) {
  for (const double width : {0.01, 0.5, 2.0}) {
    const auto smoothing = objective_.smoothing(width);
    ASSERT_NE(smoothing, nullptr);
    for (int repeat = 0; repeat < 10; ++repeat) {
      const auto here = smoothing->plane(random_vector());
      const auto smooth = smoothing->objective().at(here->weights);
      const auto there = objective_.at(random_vector());
      double plane = here->risk;
      for (std::size_t f = 0; f < 7; ++f) {
        plane += here->slope[f] * (there->weights[f] - here->weights[f]);
        EXPECT_NEAR(smooth->gradient[f], here->weights[f] + here->slope[f],
                    1e-8 * (1 + std::abs(here->slope[f])));
      }
      EXPECT_GE(there->risk, plane - 1e-9 * (1 + here->risk));
      EXPECT_LE(smooth->value, objective_.at(here->weights)->value * (1 + 1e-12));
    }
  }
}

TEST_F(RankingRiskTest, along_a_segment_agrees_with_points_on_it) {
  const auto a = objective_.at(random_vector());
  const auto b = objective_.at(random_vector());
  for (const double t : {0.0, 0.3, 1.0}) {
    std::vector<double> weights(7);
    for (std::size_t f = 0; f < 7; ++f) {
      weights[f] = a->weights[f] + t * (b->weights[f] - a->weights[f]);
    }
    const auto direct = objective_.at(weights);
    const auto point = objective_.at(*a, *b, t);
    const LineValue line = objective_.between(*a, *b, t);
    EXPECT_NEAR(point->value, direct->value, 1e-10 * direct->value);
    EXPECT_NEAR(line.value, direct->value, 1e-10 * direct->value);
    double slope = 0;
    for (std::size_t f = 0; f < 7; ++f) {
      EXPECT_NEAR(point->weights[f], weights[f], 1e-14);
      EXPECT_NEAR(point->slope[f], direct->slope[f], 1e-8 * (1 + std::abs(direct->slope[f])));
      slope += (weights[f] + direct->slope[f]) * (b->weights[f] - a->weights[f]);
    }
    EXPECT_NEAR(line.slope, slope, 1e-8 * (1 + std::abs(slope)));
  }
}

TEST_F(RankingRiskTest, of_scaled_columns_is_that_of_the_scaled_data) {
  const FeatureScaling scaling = fit_scaling(data_, Scaling::standard);
  const Dataset scaled = apply_scaling(data_, scaling);
  const CpuLossEvaluator of_scaled{scaled, table_, kHinge, 1};
  const NonsmoothRankingObjective expected{of_scaled, 0.1};
  const NonsmoothRankingObjective folded{sweep_, 0.1, ColumnScale(scaling.factor)};
  const std::vector<double> first = random_vector();
  const std::vector<double> second = random_vector();
  const auto a = folded.at(first);
  const auto b = folded.at(second);
  const auto from = expected.at(first);
  const auto to = expected.at(second);
  const auto expect_same = [](const NonsmoothObjective::Point& got,
                              const NonsmoothObjective::Point& wanted) {
    EXPECT_NEAR(got.value, wanted.value, 1e-5 * (1 + wanted.value));
    for (std::size_t f = 0; f < wanted.slope.size(); ++f) {
      EXPECT_NEAR(got.slope[f], wanted.slope[f], 1e-5 * (1 + wanted.value));
    }
  };
  expect_same(*a, *from);
  expect_same(*folded.at(*a, *b, 0.3), *expected.at(*from, *to, 0.3));
  EXPECT_NEAR(folded.between(*a, *b, 0.3).slope, expected.between(*from, *to, 0.3).slope,
              1e-4 * (1 + from->value));
}

}  // namespace
}  // namespace rankine
