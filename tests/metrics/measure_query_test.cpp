#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/metrics.hpp>

namespace rankine {
namespace {

TEST(MeasureQuery, gives_the_values_in_the_order_asked_for) {
  const std::vector<double> scores{3, 2, 1};
  const std::vector<double> grades{0, 1, 0};
  const auto measures = parse_measures("mrr,p@1,recall@2");
  EXPECT_EQ(measure_query({scores, grades}, measures, {}), (std::vector<double>{0.5, 0, 1}));
  const auto reversed = parse_measures("recall@2,p@1,mrr");
  EXPECT_EQ(measure_query({scores, grades}, reversed, {}), (std::vector<double>{1, 0, 0.5}));
}

TEST(MeasureQuery, refuses_a_measure_that_does_not_exist) {
  const std::vector<Measure> measures{{"nope"}};
  EXPECT_THROW(measure_query({}, measures, {}), Error);
}

}  // namespace
}  // namespace rankine
