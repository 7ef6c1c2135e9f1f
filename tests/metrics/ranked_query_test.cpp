#include "metrics/ranked_query.hpp"

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

using Grades = std::vector<double>;

TEST(RankQuery, orders_by_score_and_then_as_the_ties_say) {
  const std::vector<double> scores{1, 2, 1, 1};
  const Grades grades{10, 20, 30, 40};
  const std::vector<std::string_view> ids{"b", "a", "a", "B"};
  MeasureRules rules;
  rules.ties = Ties::input_order;
  EXPECT_EQ(rank_query({scores, grades, {}, ids}, rules).grades, (Grades{20, 10, 30, 40}));
  rules.ties = Ties::document_id;  // as bytes, descending
  EXPECT_EQ(rank_query({scores, grades, {}, ids}, rules).grades, (Grades{20, 10, 30, 40}));
  const std::vector<std::string_view> others{"d10", "a", "d9", "d10x"};
  EXPECT_EQ(rank_query({scores, grades, {}, others}, rules).grades, (Grades{20, 30, 40, 10}));
}

TEST(RankQuery, knows_the_runs_of_equal_scores_and_the_ideal_order) {
  const std::vector<double> scores{1, 2, 1, 0.5};
  const Grades grades{1, 0, 2, 0};
  const Grades missing{3};
  const auto ranked = rank_query({scores, grades, missing}, {});
  EXPECT_EQ(ranked.tie_ends, (std::vector<std::uint32_t>{1, 3, 4}));
  EXPECT_EQ(ranked.ideal, (Grades{3, 2, 1, 0, 0}));
}

TEST(RankQuery, compares_in_single_precision_when_told_to) {
  const std::vector<double> scores{1, 1 + 1e-9};
  const Grades grades{0, 1};
  MeasureRules rules;
  EXPECT_EQ(rank_query({scores, grades}, rules).tie_ends.size(), 2U);
  rules.score_precision = ScorePrecision::single;
  EXPECT_EQ(rank_query({scores, grades}, rules).tie_ends.size(), 1U);
}

TEST(RankQuery, refuses_what_cannot_be_ranked) {
  const auto message = [](const std::vector<double>& scores, const Grades& grades, Ties ties) {
    MeasureRules rules;
    rules.ties = ties;
    try {
      rank_query({scores, grades}, rules);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message({1}, {1, 2}, Ties::averaged), "a query has not as many scores as grades");
  EXPECT_EQ(message({nan}, {1}, Ties::averaged), "a score is not a number");
  EXPECT_EQ(message({1}, {nan}, Ties::averaged), "a grade is not a number");
  EXPECT_EQ(message({1}, {1}, Ties::document_id),
            "ties = document_id needs document ids, and the documents have none");
}

}  // namespace
}  // namespace rankine
