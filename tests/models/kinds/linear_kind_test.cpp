#include "models/kinds/linear_kind.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "features/random_rows.hpp"
#include "oracles/function_scores.hpp"

namespace rankine {
namespace {

TEST(LinearKind, has_scores_that_are_products_dense_and_sparse) {
  const DenseMatrix rows = random_rows(50, 3);
  const LinearFunction function{{1, -2, 0.5}};
  for (const FeatureMatrix& matrix : {FeatureMatrix(rows), FeatureMatrix(sparse_form(rows))}) {
    const auto scores = oracles::function_scores(function, matrix, 2);
    for (std::int64_t r = 0; r < 50; ++r) {
      double expected = 0;
      for (std::size_t f = 0; f < 3; ++f) {
        expected += function.weights[f] * static_cast<double>(rows.row(r)[f]);
      }
      EXPECT_NEAR(scores[static_cast<std::size_t>(r)], expected, 1e-12);
    }
  }
}

TEST(LinearKind, folds_a_shift_and_a_factor_into_its_weights) {
  Model model;
  model.function = LinearFunction{{3, -1}};
  model.scaling.kind = Scaling::standard;
  model.scaling.num_features = 2;
  model.scaling.keeps_zeros = false;
  model.scaling.shift = {1, 10};
  model.scaling.factor = {0.5, 2};
  const Dataset data = oracles::unnamed(DenseMatrix{1, 2, std::vector<float>{5, 11}});
  EXPECT_DOUBLE_EQ(model.score(data)[0], 3 * (5 - 1) * 0.5 - (11 - 10) * 2);
}

TEST(LinearKind, is_described_by_its_columns) {
  const FunctionDescription description = LinearKind().describe(LinearFunction{{1, 2}});
  EXPECT_EQ(description.summary, "linear");
  EXPECT_TRUE(description.weights_are_of_columns);
}

}  // namespace
}  // namespace rankine
