#include "data/scaling/feature_scaling.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

FeatureScaling linear(std::vector<double> shift, std::vector<double> factor) {
  FeatureScaling scaling;
  scaling.kind = Scaling::standard;
  scaling.num_features = std::ssize(shift);
  scaling.keeps_zeros = false;
  scaling.shift = std::move(shift);
  scaling.factor = std::move(factor);
  return scaling;
}

/// F is 0 below -1, then 0.25 rising to 0.75 at 1 and to 1 at 5.
FeatureScaling quantile() {
  FeatureScaling scaling;
  scaling.kind = Scaling::quantile;
  scaling.num_features = 1;
  scaling.keeps_zeros = false;
  scaling.shift = {0};
  scaling.knot_offsets = {0, 3};
  scaling.knots = {-1, 1, 5};
  scaling.levels = {0.25, 0.75, 1};
  return scaling;
}

FeatureScaling of_kind(Scaling kind, std::int64_t num_features) {
  FeatureScaling scaling;
  scaling.kind = kind;
  scaling.num_features = num_features;
  return scaling;
}

std::vector<float> scaled(const FeatureScaling& scaling, std::vector<float> row) {
  scale_rows(scaling, row);
  return row;
}

TEST(FeatureScaling, shifts_and_multiplies) {
  EXPECT_EQ(scaled(linear({1, -2, 5}, {0.5, 4, 0}), {2, 1, 9}), (std::vector<float>{0.5F, 12, 0}));
}

TEST(FeatureScaling, rounds_once) {
  // 0.1F - 0.1 is 1.49e-9, which is lost when the shift is rounded to float first.
  EXPECT_EQ(scaled(linear({0.1}, {1e9}), {0.1F}).front(),
            static_cast<float>((double{0.1F} - 0.1) * 1e9));
}

TEST(FeatureScaling, saturates_where_float_would_overflow) {
  EXPECT_EQ(scaled(linear({0, 0}, {1e30, 1e30}), {1e38F, -1e38F}),
            (std::vector<float>{kLargest, -kLargest}));
  EXPECT_EQ(scaled(linear({-1e38}, {1 / 2e38}), {3e38F}), std::vector<float>{2});
}

TEST(FeatureScaling, interpolates_between_quantiles_and_clips_outside) {
  const std::vector<std::pair<float, float>> cases{{-9, 0},     {-1, 0.25F}, {0, 0.5F}, {1, 0.75F},
                                                   {3, 0.875F}, {5, 1},      {6, 1}};
  for (const auto& [x, level] : cases) EXPECT_EQ(scaled(quantile(), {x}).front(), level) << x;
}

TEST(FeatureScaling, takes_signed_logarithms) {
  const auto row = scaled(of_kind(Scaling::log, 4), {0, 1, -1, kLargest});
  EXPECT_EQ(row, (std::vector<float>{0, std::log(2.0F), -std::log(2.0F),
                                     static_cast<float>(std::log1p(double{kLargest}))}));
}

TEST(FeatureScaling, scales_sparse_rows_like_dense_ones) {
  FeatureScaling standard = linear({0, 0, 0}, {0.5, 3, 0});
  standard.keeps_zeros = true;
  FeatureScaling shifted = quantile();
  shifted.keeps_zeros = true;
  shifted.num_features = 3;
  shifted.knot_offsets = {0, 3, 3, 6};
  shifted.knots = {-1, 1, 5, 2, 3, 4};
  shifted.levels = {0.25, 0.75, 1, 0, 0.5, 1};
  shifted.shift = {0.5, 0, 0};
  for (const auto& scaling :
       {standard, shifted, of_kind(Scaling::log, 3), of_kind(Scaling::none, 3)}) {
    const std::vector<std::uint32_t> columns{0, 2};
    std::vector<float> values{-0.5F, 3.5F};
    const auto dense = scaled(scaling, {-0.5F, 0, 3.5F});
    scale_rows(scaling, columns, values);
    EXPECT_EQ(values, (std::vector<float>{dense[0], dense[2]}));
    EXPECT_EQ(dense[1], 0);
  }
}

TEST(FeatureScaling, scales_rows_together_as_one_by_one) {
  FeatureScaling two_quantiles = quantile();
  two_quantiles.num_features = 2;
  two_quantiles.shift = {0, 0.25};
  two_quantiles.knot_offsets = {0, 3, 5};
  two_quantiles.knots = {-1, 1, 5, 0, 8};
  two_quantiles.levels = {0.25, 0.75, 1, 0, 1};
  for (const auto& scaling : {linear({1, -1}, {2, 3}), two_quantiles, of_kind(Scaling::log, 2)}) {
    const auto first = scaled(scaling, {0.5F, 4});
    const auto second = scaled(scaling, {-7, 2});
    EXPECT_EQ(scaled(scaling, {0.5F, 4, -7, 2}),
              (std::vector<float>{first[0], first[1], second[0], second[1]}));
  }
}

TEST(QueryRanges, scale_each_query_to_its_own_range) {
  QueryRanges ranges(3);
  std::vector<float> first{1, 5, -2, 3, 5, 2, 2, 5, 0};
  ranges.scale(first, false);
  EXPECT_EQ(first, (std::vector<float>{0, 0, 0, 1, 0, 1, 0.5F, 0, 0.5F}));
  std::vector<float> single{7, 8, 9};
  ranges.scale(single, false);
  EXPECT_EQ(single, (std::vector<float>{0, 0, 0}));
  std::vector<float> kept{1, 5, -2, 3, 5, 2};
  ranges.scale(kept, true);
  EXPECT_EQ(kept, (std::vector<float>{0.5F, 0, -0.5F, 1.5F, 0, 0.5F}));
  std::vector<float> wide{-3e38F, 0, 0, 3e38F, 0, 0};
  ranges.scale(wide, false);
  EXPECT_EQ(wide, (std::vector<float>{0, 0, 0, 1, 0, 0}));
  std::vector<float> none;
  ranges.scale(none, false);
}

TEST(QueryRanges, count_the_zeros_of_sparse_rows) {
  QueryRanges ranges(3);
  for (int repeat = 0; repeat < 2; ++repeat) {  // nothing may remain of the query before
    // Rows (4, 0, 0), (8, 0, -2), (6, 3, -2).
    const std::vector<std::uint32_t> columns{0, 0, 2, 0, 1, 2};
    std::vector<float> values{4, 8, -2, 6, 3, -2};
    ranges.scale(columns, values, 3);
    EXPECT_EQ(values, (std::vector<float>{1, 2, -1, 1.5F, 1, -1}));
  }
  std::vector<float> alone{4};
  ranges.scale(std::vector<std::uint32_t>{1}, alone, 1);
  EXPECT_EQ(alone, std::vector<float>{0});
}

TEST(FeatureScaling, lists_constant_columns) {
  EXPECT_EQ(constant_columns(linear({1, 2, 3}, {1, 0, 0})), (std::vector<std::int64_t>{1, 2}));
  FeatureScaling scaling = quantile();
  scaling.num_features = 2;
  scaling.knot_offsets = {0, 0, 3};
  EXPECT_EQ(constant_columns(scaling), std::vector<std::int64_t>{0});
  EXPECT_TRUE(constant_columns(of_kind(Scaling::log, 5)).empty());
}

TEST(CheckScaling, accepts_what_fits_together) {
  for (const auto& scaling : {linear({1}, {2}), quantile(), of_kind(Scaling::log, 3),
                              of_kind(Scaling::query_minmax, 3), FeatureScaling{}}) {
    EXPECT_NO_THROW(check_scaling(scaling, "m.rkn"));
  }
}

TEST(CheckScaling, refuses_what_does_not) {
  std::vector<FeatureScaling> bad(12, quantile());
  bad[0].knot_offsets = {0, 4};
  bad[1].knot_offsets = {0};
  bad[2].knots[1] = -1;
  bad[3].levels[2] = 1.5;
  bad[4].levels.pop_back();
  bad[5].knots[2] = std::numeric_limits<double>::quiet_NaN();
  bad[6].kind = static_cast<Scaling>(17);
  bad[7].num_features = -1;
  bad[8].shift.clear();
  bad[9] = linear({1, 2}, {1});
  bad[10] = linear({1}, {std::numeric_limits<double>::infinity()});
  bad[11] = of_kind(Scaling::log, 1);
  bad[11].keeps_zeros = false;
  for (std::size_t k = 0; k < bad.size(); ++k) {
    try {
      check_scaling(bad[k], "m.rkn");
      ADD_FAILURE() << k << " was accepted";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "m.rkn: the parts of the scaling do not fit together");
    }
  }
}

}  // namespace
}  // namespace rankine
