#include <gtest/gtest.h>

#include <rankine/metrics.hpp>

namespace rankine {
namespace {

TEST(MeasureRules, default_to_rankines_own_convention) {
  EXPECT_EQ(measure_rules(Convention::rankine), MeasureRules{});
}

TEST(MeasureRules, differ_between_conventions) {
  for (std::size_t a = 0; a < EnumNames<Convention>::names.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(measure_rules(static_cast<Convention>(a)),
                measure_rules(static_cast<Convention>(b)))
          << EnumNames<Convention>::names[a] << " " << EnumNames<Convention>::names[b];
    }
  }
}

}  // namespace
}  // namespace rankine
