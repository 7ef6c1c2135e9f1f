#include "objectives/ridge/query_terms.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/scaling.hpp>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/hinge_pairs.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "objectives/ranking_objective.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kSquaredHinge("squared_hinge", squared_hinge_pieces());
const HingePairs kHinge;

class QueryTermsTest : public testing::Test {
 protected:
  std::mt19937_64 random_{47};
  Dataset data_ = oracles::random_dataset(random_, {.queries = 6, .weighted = true});
  QueryTable table_{data_, Normalisation::none, 1};
  CpuLossEvaluator sweep_{data_, table_, kSquaredHinge, 1};
  QueryTerms terms_{data_, table_, kSquaredHinge, sweep_, 0.2};
};

TEST_F(QueryTermsTest, slopes_average_to_the_gradient) {
  const std::vector<double> weights{0.1, -0.2, 0.3, 0, 0.5, -0.1, 0.2};
  const std::vector<double> expected = sweep_.at(weights)->gradient;
  std::vector<double> sum(7);
  constexpr std::uint64_t kDraws = 20000;
  const std::vector<StochasticObjective::Target> targets{{terms_.num_terms() / kDraws, sum}};
  std::vector<double> halved(weights);
  for (double& weight : halved) weight /= 2;
  for (std::uint64_t k = 0; k < kDraws; ++k) terms_.add_slope(Random(2), k, halved, 2, targets);
  double norm = 0;
  for (const double entry : expected) norm += 0.2 * std::abs(entry);
  for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(sum[f], 0.2 * expected[f], 0.03 * norm);
}

TEST_F(QueryTermsTest, curvature_is_near_the_largest_and_never_above) {
  const double estimate = terms_.largest_curvature();
  // The largest of every query's own Hessian, by many power iterations on the query alone.
  double largest = 0;
  for (std::int64_t q = 0; q < data_.num_queries(); ++q) {
    Dataset alone = data_;
    std::vector<double> only(static_cast<std::size_t>(data_.num_queries()));
    only[static_cast<std::size_t>(q)] = data_.query_weights[static_cast<std::size_t>(q)];
    alone.query_weights = only;
    const QueryTable table(alone, Normalisation::none, 1);
    const CpuLossEvaluator sweep(alone, table, kSquaredHinge, 1);
    const auto point = sweep.at(std::vector<double>(7));
    std::vector<double> direction(point->gradient);
    std::vector<double> image(7);
    double curvature = 0;
    for (int k = 0; k < 500; ++k) {
      double norm = 0;
      for (const double entry : direction) norm += entry * entry;
      if (norm == 0) break;
      for (double& entry : direction) entry /= std::sqrt(norm);
      sweep.hessian_times(*point, direction, image);
      curvature = 0;
      for (std::size_t f = 0; f < 7; ++f) curvature += direction[f] * image[f];
      direction = image;
    }
    largest = std::max(largest, 0.2 * curvature);
  }
  EXPECT_LE(estimate, largest * (1 + 1e-9));
  EXPECT_GE(estimate, 0.6 * largest);
}

TEST_F(QueryTermsTest, a_loss_without_curvature_is_given_some) {
  const CpuLossEvaluator sweep(data_, table_, kHinge, 1);
  const QueryTerms hinge(data_, table_, kHinge, sweep, 0.2);
  EXPECT_DOUBLE_EQ(hinge.largest_curvature(), 0.5 * terms_.largest_curvature());
}

TEST_F(QueryTermsTest, assessment_is_the_objective_and_its_certificate) {
  const std::vector<double> weights{0.1, -0.2, 0.3, 0, 0.5, -0.1, 0.2};
  const RankingObjective objective(sweep_, 0.2);
  const auto point = objective.at(weights);
  const auto assessment = terms_.assess(weights);
  double norm = 0;
  for (const double entry : point->gradient) norm += entry * entry;
  EXPECT_NEAR(assessment.value, point->value, 1e-12 * point->value);
  EXPECT_NEAR(assessment.gap, 0.5 * norm, 1e-12 * norm);
}

TEST_F(QueryTermsTest, of_scaled_columns_are_those_of_the_scaled_data) {
  for (const Dataset& data : {data_, oracles::as_sparse(data_)}) {
    const FeatureScaling scaling = fit_scaling(data, Scaling::standard);
    const Dataset scaled = apply_scaling(data, scaling);
    const CpuLossEvaluator scaled_sweep(scaled, table_, kSquaredHinge, 1);
    const QueryTerms expected(scaled, table_, kSquaredHinge, scaled_sweep, 0.2);
    const CpuLossEvaluator sweep(data, table_, kSquaredHinge, 1);
    const QueryTerms folded(data, table_, kSquaredHinge, sweep, 0.2, ColumnScale(scaling.factor));
    EXPECT_NEAR(folded.largest_curvature(), expected.largest_curvature(),
                1e-5 * expected.largest_curvature());
    const std::vector<double> weights{0.1, -0.2, 0.3, 0, 0.5, -0.1, 0.2};
    const double size = expected.assess(weights).value;
    EXPECT_NEAR(folded.assess(weights).value, size, 1e-5 * size);
    for (std::uint64_t draw = 0; draw < 30; ++draw) {
      std::vector<double> got(7);
      std::vector<double> wanted(7);
      folded.add_slope(Random(3), draw, weights, 0.9,
                       std::vector<StochasticObjective::Target>{{2, got}});
      expected.add_slope(Random(3), draw, weights, 0.9,
                         std::vector<StochasticObjective::Target>{{2, wanted}});
      for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(got[f], wanted[f], 1e-5 * size);
    }
  }
}

}  // namespace
}  // namespace rankine
