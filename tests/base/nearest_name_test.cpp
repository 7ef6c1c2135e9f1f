#include "base/nearest_name.hpp"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace rankine {
namespace {

constexpr std::array<std::string_view, 4> kNames{"label", "qid", "title_bm25", "lapel"};

TEST(NearestName, finds_slips_of_the_finger) {
  EXPECT_EQ(nearest_name("lable", kNames), "label");
  EXPECT_EQ(nearest_name("title_bm2", kNames), "title_bm25");
  EXPECT_EQ(nearest_name("lapels", kNames), "lapel");
}

TEST(NearestName, sees_no_difference_between_upper_and_lower_case) {
  EXPECT_EQ(nearest_name("LABEL", kNames), "label");
  EXPECT_EQ(nearest_name("Qid", kNames), "qid");
}

TEST(NearestName, takes_the_first_of_equally_near_names) {
  EXPECT_EQ(nearest_name("lacel", kNames), "label");
}

TEST(NearestName, suggests_nothing_far_away_or_without_a_common_letter) {
  EXPECT_EQ(nearest_name("grade", kNames), "");
  EXPECT_EQ(nearest_name("x", std::array<std::string_view, 2>{"y", "zz"}), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("qid", {}), "");
}

}  // namespace
}  // namespace rankine
