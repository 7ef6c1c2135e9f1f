#include "metrics/expected_reciprocal_rank.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

double naive_err(const naive::OrderedQuery& query) {
  if (query.all_grades.empty() || query.all_grades[0] <= 0) return naive::kNothing;
  const double max_grade = query.rules.max_grade > 0 ? query.rules.max_grade : query.all_grades[0];
  double sum = 0;
  double reached = 1;
  for (std::size_t rank = 1; rank <= query.size() && query.inside(rank); ++rank) {
    const double grade = std::max(0.0, query.grades[rank - 1]);
    const double stop = (std::pow(2.0, grade) - 1) / std::pow(2.0, max_grade);
    sum += reached * stop / static_cast<double>(rank);
    reached *= 1 - stop;
  }
  return sum;
}

TEST(ExpectedReciprocalRank, equals_the_formula_averaged_over_the_allowed_orders) {
  naive::expect_agreement("err", true, naive_err, 5000);
}

TEST(ExpectedReciprocalRank, takes_grades_whose_power_would_overflow) {
  const std::vector<double> scores{2, 1};
  const std::vector<double> grades{1e6, 1e6 - 1};
  EXPECT_DOUBLE_EQ(measure_query({scores, grades}, parse_measures("err@5"), {})[0], 1);
}

TEST(ExpectedReciprocalRank, refuses_a_grade_above_the_largest) {
  const std::vector<double> scores{2, 1};
  const std::vector<double> grades{5, 0};
  MeasureRules rules;
  rules.max_grade = 4;
  try {
    measure_query({scores, grades}, parse_measures("err@5"), rules);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "grade 5 is above max_grade = 4");
  }
}

}  // namespace
}  // namespace rankine
