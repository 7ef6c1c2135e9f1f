#include "losses/pairs/grade_margin_pairs.hpp"

#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/hinge_pairs.hpp"
#include "oracles/finite_differences.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

TEST(GradeMarginPairs, cost_nothing_when_scores_are_the_grades) {
  std::mt19937_64 random(5);
  auto query = oracles::random_query(random, 30, 0, true);
  query.scores = query.grades;
  const GradeMarginPairs loss(std::make_unique<HingePairs>(0.0));
  std::vector<double> gradient(30);
  EXPECT_EQ(oracles::gradient_at(loss, query.documents(), query.scores, gradient), 0);
  EXPECT_EQ(gradient, std::vector<double>(30));
}

TEST(GradeMarginPairs, cost_the_whole_difference_of_grades_where_scores_are_equal) {
  std::mt19937_64 random(5);
  auto query = oracles::random_query(random, 12, 0, false);
  query.scores.assign(12, 0.5);
  const GradeMarginPairs loss(std::make_unique<HingePairs>(0.0));
  std::vector<double> gradient(12);
  double expected = 0;
  for (const double a : query.grades) {
    for (const double b : query.grades) expected += a > b ? a - b : 0;
  }
  EXPECT_NEAR(oracles::gradient_at(loss, query.documents(), query.scores, gradient), expected,
              1e-10);
}

}  // namespace
}  // namespace rankine
