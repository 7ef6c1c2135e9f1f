#include "linalg/gram_sums.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

std::vector<double> random_rows(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> rows(count);
  for (double& value : rows) value = normal(random);
  return rows;
}

TEST(GramSums, are_the_sums_of_products) {
  GramSums sums(2);
  sums.add(std::vector<double>{1, 2, 3, 4}.data(), std::vector<double>{5, 6});
  EXPECT_EQ(sums.gram[0], 10);  // the lower triangle
  EXPECT_EQ(sums.gram[2], 14);
  EXPECT_EQ(sums.gram[3], 20);
  EXPECT_EQ(sums.slope, (std::vector<double>{23, 34}));
  EXPECT_EQ(sums.squares, 61);
  GramSums twice(sums);
  twice.add(sums);
  EXPECT_EQ(twice.gram[2], 28);
  EXPECT_EQ(twice.squares, 122);
  twice.subtract(std::vector<double>{1, 2, 3, 4}.data(), std::vector<double>{5, 6});
  EXPECT_EQ(twice.gram[2], 14);
  EXPECT_EQ(twice.slope, sums.slope);
}

TEST(AddWideGram, equals_the_plain_sums_with_the_same_bits_for_any_number_of_threads) {
  constexpr std::int64_t kWidth = 300;
  constexpr std::int64_t kRows = 20;
  const auto rows = random_rows(kWidth * kRows, 1);
  GramSums plain(kWidth);
  plain.add(rows.data(), std::vector<double>(kRows));
  std::vector<double> one(kWidth * kWidth);
  std::vector<double> three(kWidth * kWidth);
  add_wide_gram(rows.data(), kRows, kWidth, 1, one);
  add_wide_gram(rows.data(), kRows, kWidth, 3, three);
  EXPECT_EQ(one, three);
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_NEAR(one[i * kWidth + j], plain.gram[i * kWidth + j], 1e-12);
    }
  }
}

TEST(OuterGram, is_rows_times_rows_transposed) {
  std::vector<double> out(4, -7.0);
  outer_gram(std::vector<double>{1, 2, 3, 4}.data(), 2, 2, out);
  EXPECT_EQ(out, (std::vector<double>{5, -7, 11, 25}));
  make_symmetric(out, 2);
  EXPECT_EQ(out, (std::vector<double>{5, 11, 11, 25}));
}

TEST(Times, multiplies_row_major_matrices) {
  const std::vector<double> left{1, 2, 3, 4, 5, 6};  // 2 x 3
  const std::vector<double> right{1, 0, 2, 1, 0, 3};
  std::vector<double> out(4);
  times(left.data(), 2, right.data(), 2, 3, out.data());
  EXPECT_EQ(out, (std::vector<double>{5, 11, 14, 23}));
  times_transposed(left.data(), 2, right.data(), 2, 3, out.data());
  EXPECT_EQ(out, (std::vector<double>{7, 10, 16, 22}));
}

}  // namespace
}  // namespace rankine
