#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/model.hpp>

#include "features/random_rows.hpp"

namespace rankine {
namespace {

Model model_of(ScoringFunction function) {
  Model model;
  model.function = std::move(function);
  model.scaling.num_features = 3;
  return model;
}

TEST(DropNegligible, leaves_out_small_weights_with_what_they_belong_to) {
  const DenseMatrix rows = random_rows(4, 3);
  const Model kernel = model_of(KernelFunction{{.kind = Kernel::rbf}, rows, {2, -0.01, 0, -1}});
  const Model smaller = drop_negligible(kernel, 0.1);
  const auto& function = smaller.function.as<KernelFunction>();
  EXPECT_EQ(function.weights, (std::vector<double>{2, -1}));
  const auto& kept = std::get<DenseMatrix>(function.landmarks);
  EXPECT_EQ(kept.num_rows, 2);
  EXPECT_EQ(kept.row(1)[2], rows.row(3)[2]);
  const Model waves =
      model_of(RandomFunction{Approximation::fourier, rows, {1, 2, 3, 4}, {0.5, -3, 0.1, 3}});
  const Model fewer = drop_negligible(waves, 0.1);
  const auto& random = fewer.function.as<RandomFunction>();
  EXPECT_EQ(random.weights, (std::vector<double>{0.5, -3, 3}));
  EXPECT_EQ(random.phases, (std::vector<float>{1, 2, 4}));
  EXPECT_EQ(random.frequencies.num_rows, 3);
}

TEST(DropNegligible, claims_no_objective_gap_or_rank_of_the_whole_model) {
  Model whole = model_of(
      RandomFunction{Approximation::fourier, random_rows(4, 3), {1, 2, 3, 4}, {0.5, -3, 0, 3}});
  whole.report.objective = 12;
  whole.report.gap = 1e-6;
  whole.report.map.components = 4;
  whole.report.map.rank = 4;
  const Model smaller = Model::from_bytes(drop_negligible(whole, 0.5).bytes(), "smaller");
  EXPECT_TRUE(std::isnan(smaller.report.objective));
  EXPECT_TRUE(std::isinf(smaller.report.gap));
  EXPECT_EQ(smaller.report.map.components, 4);
  EXPECT_EQ(smaller.report.map.rank, 2);
  ASSERT_EQ(smaller.options.size(), 1u);
  EXPECT_EQ(smaller.options[0].first, "drop_negligible");
  EXPECT_EQ(smaller.options[0].second, "0.5");
  const Model the_same = drop_negligible(whole, 0);
  EXPECT_EQ(the_same.report.objective, 12);
  EXPECT_EQ(the_same.report.gap, 1e-6);
  EXPECT_EQ(the_same.report.map.rank, 3);
  EXPECT_EQ(drop_negligible(smaller, 0.1).options.size(), 1u);
}

TEST(DropNegligible, of_nothing_but_zeros_scores_the_same) {
  const Model kernel =
      model_of(KernelFunction{{.kind = Kernel::rbf}, random_rows(5, 3), {2, 0, 0.5, 0, -1}});
  Dataset data;
  data.features = random_rows(20, 3, 7);
  data.grades = std::vector<double>(20);
  const auto before = kernel.score(data);
  const auto after = drop_negligible(kernel, 0).score(data);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-12);
}

TEST(DropNegligible, refuses_linear_models_and_shares_beyond_1) {
  EXPECT_THROW(drop_negligible(model_of(LinearFunction{{1, 2, 3}}), 0.1), Error);
  const Model kernel = model_of(KernelFunction{{}, random_rows(1, 3), {1}});
  EXPECT_THROW(drop_negligible(kernel, 2), Error);
}

}  // namespace
}  // namespace rankine
