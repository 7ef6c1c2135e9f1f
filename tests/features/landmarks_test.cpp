#include "features/landmarks.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"
#include "linalg/symmetric_factors.hpp"

namespace rankine {
namespace {

const KernelSpec kRbf{.kind = Kernel::rbf, .gamma = 0.3};

std::vector<std::int64_t> chosen(const FeatureMatrix& rows, Landmarks how, std::int64_t count,
                                 std::uint64_t seed = 1, int threads = 1) {
  return choose_landmarks(rows, kRbf, how, count, seed, threads);
}

TEST(ChooseLandmarks, gives_different_rows_in_order_that_depend_on_the_seed_alone) {
  const DenseMatrix rows = random_rows(3000, 5);
  for (const Landmarks how : {Landmarks::uniform, Landmarks::kmeans, Landmarks::rpcholesky}) {
    const auto first = chosen(rows, how, 120);
    EXPECT_EQ(first.size(), 120U);
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    EXPECT_EQ(std::set<std::int64_t>(first.begin(), first.end()).size(), 120U);
    EXPECT_EQ(first, chosen(rows, how, 120, 1, 3));
    EXPECT_NE(first, chosen(rows, how, 120, 2));
    EXPECT_EQ(first, chosen(sparse_form(rows), how, 120));
  }
}

TEST(ChooseLandmarks, takes_all_rows_when_asked_for_more) {
  const DenseMatrix rows = random_rows(17, 3);
  for (const Landmarks how : {Landmarks::uniform, Landmarks::kmeans, Landmarks::rpcholesky}) {
    EXPECT_EQ(chosen(rows, how, 50).size(), 17U);
  }
}

TEST(ChooseLandmarks, that_look_at_the_data_stop_when_nothing_is_left) {
  std::vector<float> values;  // 400 rows at four places
  for (int k = 0; k < 400; ++k) values.push_back(static_cast<float>(k % 4) * 10);
  const DenseMatrix rows{400, 1, std::move(values)};
  for (const Landmarks how : {Landmarks::kmeans, Landmarks::rpcholesky}) {
    const auto places = chosen(rows, how, 30);
    std::set<std::int64_t> different;
    for (const std::int64_t row : places) different.insert(row % 4);
    EXPECT_EQ(different.size(), 4U);
    EXPECT_EQ(places.size(), 4U);
  }
}

/// The trace of the kernel that landmarks leave unexplained, over the whole trace.
double unexplained(const DenseMatrix& rows, const std::vector<std::int64_t>& landmarks) {
  const FeatureMatrix taken = take_rows(rows, landmarks);
  const auto size = static_cast<std::int64_t>(landmarks.size());
  auto cholesky = pivoted_cholesky(kernel_gram(kRbf, taken, 1), size, 1e-10);
  const FeatureMatrix pivots = take_rows(taken, cholesky.pivots);
  const auto rank = static_cast<std::int64_t>(cholesky.pivots.size());
  std::vector<float> block(static_cast<std::size_t>(rows.num_rows * rank));
  kernel_block(rows, 0, rows.num_rows, PackedColumns(pivots), kernel_formula(kRbf), block.data());
  const std::vector<float> factor(cholesky.factor.begin(), cholesky.factor.end());
  solve_rows(factor, rank, block.data(), rows.num_rows);
  double left = static_cast<double>(rows.num_rows);
  for (const float value : block) left -= static_cast<double>(value) * static_cast<double>(value);
  return left / static_cast<double>(rows.num_rows);
}

TEST(ChooseLandmarks, by_pivots_explains_clustered_data_better_than_chance) {
  DenseMatrix rows = random_rows(2000, 2, 3);
  std::vector<float> values(rows.values.begin(), rows.values.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = k < 3600 ? 0.05F * values[k] : 4 * values[k];  // a tenth of the rows lie far out
  }
  rows.values = std::move(values);
  double by_chance = 0;
  double by_pivots = 0;
  double by_distance = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    by_chance += unexplained(rows, chosen(rows, Landmarks::uniform, 60, seed));
    by_pivots += unexplained(rows, chosen(rows, Landmarks::rpcholesky, 60, seed));
    by_distance += unexplained(rows, chosen(rows, Landmarks::kmeans, 60, seed));
  }
  EXPECT_LT(by_pivots, 0.7 * by_chance);
  EXPECT_LT(by_distance, 0.7 * by_chance);
}

}  // namespace
}  // namespace rankine
