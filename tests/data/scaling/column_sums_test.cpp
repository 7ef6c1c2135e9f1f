#include "data/scaling/column_sums.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

DenseMatrix rows_of(std::vector<float> values) {
  const auto rows = static_cast<std::int64_t>(values.size() / 3);
  return {rows, 3, std::move(values)};
}

TEST(ColumnSums, of_blocks_fit_the_scaling_of_all_rows) {
  std::mt19937_64 random(6);
  std::normal_distribution<float> normal(5, 2);
  Dataset all;
  std::vector<float> values;
  ColumnSums sums(3);
  for (const int rows : {1, 7, 300}) {
    std::vector<float> block;
    for (int row = 0; row < rows; ++row)
      block.insert(block.end(), {normal(random), normal(random), 4});
    values.insert(values.end(), block.begin(), block.end());
    sums.add(rows_of(block), 1);
  }
  all.features = rows_of(values);
  all.grades = std::vector<double>(308);
  all.query_offsets = std::vector<std::int64_t>{0, 308};
  for (const Scaling kind : {Scaling::none, Scaling::standard, Scaling::minmax}) {
    const FeatureScaling expected = fit_scaling(all, kind);
    const FeatureScaling found = sums.scaling(kind, true);
    ASSERT_EQ(found.factor.size(), expected.factor.size());
    for (std::size_t f = 0; f < found.factor.size(); ++f) {
      EXPECT_NEAR(found.factor[f], expected.factor[f], 1e-12);
      EXPECT_NEAR(found.shift[f], expected.shift[f], 1e-12);
    }
  }
  EXPECT_EQ(sums.constant(), std::vector<std::int64_t>{2});
}

}  // namespace
}  // namespace rankine
