// What holds for every measure: a new one is tested by being listed.
#include "metrics/measure_table.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

std::vector<Measure> every_measure() {
  std::vector<Measure> measures;
  for (const MeasureInfo& info : all_measures()) {
    if (info.cut_off != CutOff::required) measures.push_back({std::string(info.name)});
    if (info.cut_off == CutOff::none) continue;
    for (const std::int64_t k : {1, 3, 10}) measures.push_back({std::string(info.name), k});
  }
  return measures;
}

void expect_same_values(const std::vector<double>& a, const std::vector<double>& b,
                        const std::vector<Measure>& measures, double tolerance) {
  for (std::size_t index = 0; index < measures.size(); ++index) {
    ASSERT_EQ(std::isnan(a[index]), std::isnan(b[index])) << measures[index].text();
    if (!std::isnan(a[index])) {
      ASSERT_NEAR(a[index], b[index], tolerance) << measures[index].text();
    }
  }
}

TEST(EveryMeasure, has_a_name_of_its_own_and_a_line_of_help) {
  std::set<std::string_view> names;
  for (const MeasureInfo& info : all_measures()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
  }
}

TEST(EveryMeasure, does_not_change_when_scores_are_shifted_and_scaled) {
  const auto measures = every_measure();
  std::mt19937 random(3);
  for (int number = 0; number < 500; ++number) {
    const auto query = naive::random_query(random);
    const auto rules = naive::random_rules(random);
    auto moved = query;
    for (double& score : moved.scores) score = 8 * score - 64;
    expect_same_values(measure_query(query.ranking(), measures, rules),
                       measure_query(moved.ranking(), measures, rules), measures, 0);
  }
}

TEST(EveryMeasure, does_not_depend_on_the_order_of_documents_when_ties_are_averaged) {
  const auto measures = every_measure();
  std::mt19937 random(4);
  for (int number = 0; number < 500; ++number) {
    const auto query = naive::random_query(random);
    std::vector<std::size_t> order(query.scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    naive::Query shuffled;
    shuffled.missing_grades = query.missing_grades;
    for (const std::size_t document : order) {
      shuffled.scores.push_back(query.scores[document]);
      shuffled.grades.push_back(query.grades[document]);
    }
    expect_same_values(measure_query(query.ranking(), measures, {}),
                       measure_query(shuffled.ranking(), measures, {}), measures, 1e-13);
  }
}

TEST(EveryMeasure, is_largest_when_scores_are_the_grades) {
  const auto measures = every_measure();
  std::mt19937 random(5);
  for (int number = 0; number < 500; ++number) {
    auto query = naive::random_query(random);
    const auto values = measure_query(query.ranking(), measures, {});
    query.scores = query.grades;
    const auto best = measure_query(query.ranking(), measures, {});
    for (std::size_t index = 0; index < measures.size(); ++index) {
      if (std::isnan(best[index])) continue;
      ASSERT_GE(best[index], values[index] - 1e-13) << measures[index].text();
    }
  }
}

TEST(EveryMeasure, counts_an_empty_query_as_the_rules_say) {
  const std::vector<double> scores{3, 2, 1};
  const std::vector<double> grades{0, 0, 0};
  for (const Measure& measure : every_measure()) {
    const MeasureEntry& entry = measure_named(measure.name);
    MeasureRules rules;
    const auto value = [&](EmptyQueries empty) {
      rules.empty_queries = empty;
      return measure_query({scores, grades}, std::vector{measure}, rules)[0];
    };
    EXPECT_TRUE(std::isnan(value(EmptyQueries::skip))) << measure.text();
    if (entry.when_empty == WhenEmpty::left_out) {
      EXPECT_TRUE(std::isnan(value(EmptyQueries::one))) << measure.text();
    } else {
      EXPECT_EQ(value(EmptyQueries::zero), 0) << measure.text();
      EXPECT_EQ(value(EmptyQueries::one), entry.when_empty == WhenEmpty::by_rule ? 1 : 0)
          << measure.text();
    }
  }
}

TEST(EveryMeasure, takes_a_query_without_documents) {
  const std::vector<double> missing{1};
  const auto measures = every_measure();
  for (const double value : measure_query({{}, {}, missing}, measures, {})) {
    EXPECT_TRUE(value == 0 || std::isnan(value));
  }
  for (const double value : measure_query({{}, {}}, measures, {})) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace rankine
