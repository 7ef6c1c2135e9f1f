#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>

namespace rankine {
namespace {

TEST(Evaluation, averages_by_weight_and_counts_what_is_left_out) {
  Evaluation evaluation(parse_measures("mrr,auc"), {});
  const std::vector<double> scores{2, 1};
  const std::vector<double> good{1, 0};
  const std::vector<double> bad{0, 1};
  const std::vector<double> empty{0, 0};
  EXPECT_EQ(evaluation.add({scores, good}, 3), (std::vector<double>{1, 1}));
  EXPECT_EQ(evaluation.add({scores, bad}), (std::vector<double>{0.5, 0}));
  EXPECT_TRUE(std::isnan(evaluation.add({scores, empty}, 100)[0]));
  const auto means = evaluation.means();
  EXPECT_DOUBLE_EQ(means[0].mean, (3 + 0.5) / 4);
  EXPECT_DOUBLE_EQ(means[1].mean, 3.0 / 4);
  EXPECT_EQ(means[0].num_queries, 2);
  EXPECT_EQ(means[0].num_left_out, 1);
}

TEST(Evaluation, has_no_mean_without_queries) {
  const Evaluation evaluation(parse_measures("map"), {});
  EXPECT_TRUE(std::isnan(evaluation.means()[0].mean));
  EXPECT_EQ(evaluation.means()[0].num_queries, 0);
}

TEST(Evaluation, asks_for_the_largest_grade_where_a_measure_needs_it) {
  try {
    const Evaluation evaluation(parse_measures("err@10"), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_STREQ(error.what(), "max_grade = 0: err needs the largest grade, above 0");
  }
}

}  // namespace
}  // namespace rankine
