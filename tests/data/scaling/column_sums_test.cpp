#include "data/scaling/column_sums.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/folds.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

/// One query.
Dataset query_of(std::vector<float> values) {
  const auto rows = static_cast<std::int64_t>(values.size() / 3);
  Dataset data;
  data.features = DenseMatrix{rows, 3, std::move(values)};
  data.grades = std::vector<double>(static_cast<std::size_t>(rows));
  data.query_offsets = std::vector<std::int64_t>{0, rows};
  return data;
}

TEST(ColumnSums, of_blocks_fit_the_scaling_of_all_rows) {
  std::mt19937_64 random(6);
  std::normal_distribution<float> normal(5, 2);
  std::vector<float> values;
  ColumnSums sums(3);
  for (const int rows : {1, 7, 300}) {
    std::vector<float> block;
    for (int row = 0; row < rows; ++row)
      block.insert(block.end(), {normal(random), normal(random), 4});
    values.insert(values.end(), block.begin(), block.end());
    sums.add(query_of(block), 1);
  }
  sums.finish();
  const Dataset all = query_of(values);
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

TEST(ColumnSums, are_the_same_bits_however_the_queries_are_cut_into_blocks) {
  std::mt19937_64 random(7);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 1500, .most_documents = 20, .features = 3});
  const auto scaling = [&](std::int64_t queries_each, int threads) {
    ColumnSums sums(3);
    for (std::int64_t first = 0; first < data.num_queries(); first += queries_each) {
      std::vector<std::int64_t> block;
      for (auto q = first; q < std::min(first + queries_each, data.num_queries()); ++q) {
        block.push_back(q);
      }
      sums.add(select_queries(data, block), threads);
    }
    sums.finish();
    return sums.scaling(Scaling::standard, true);
  };
  const FeatureScaling whole = scaling(1500, 1);
  for (const std::int64_t each : {1, 40, 700}) {
    const FeatureScaling found = scaling(each, 3);
    EXPECT_EQ(found.shift, whole.shift);
    EXPECT_EQ(found.factor, whole.factor);
  }
}

}  // namespace
}  // namespace rankine
