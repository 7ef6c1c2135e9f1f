// The slow obvious way to measure a ranking: write out every order the rules allow, apply the
// textbook formula to each, take the mean. A test gives the formula; expect_agreement compares it
// with the measure of that name on thousands of small random queries under all rules.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/metrics.hpp>

namespace rankine::naive {

inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// A query with its own memory.
struct Query {
  std::vector<double> scores;
  std::vector<double> grades;
  std::vector<double> missing_grades;
  std::vector<std::string_view> document_ids;

  QueryRanking ranking() const { return {scores, grades, missing_grades, document_ids}; }
};

/// One definite order of a query's documents, as a formula sees it.
struct OrderedQuery {
  std::vector<double> scores;      // by rank
  std::vector<double> grades;      // by rank
  std::vector<double> all_grades;  // those of missing documents too, largest first
  MeasureRules rules;
  std::int64_t k = Measure::kNoCut;

  std::size_t size() const { return grades.size(); }
  bool inside(std::size_t rank) const { return static_cast<std::int64_t>(rank) <= k; }
  bool relevant(std::size_t rank) const { return grades[rank - 1] >= rules.relevant; }
  double num_relevant() const {
    return static_cast<double>(std::count_if(all_grades.begin(), all_grades.end(),
                                             [&](double y) { return y >= rules.relevant; }));
  }
};

/// A measure's formula for one order, ranks counted from 1; kNothing when there is nothing to
/// measure.
using Formula = std::function<double(const OrderedQuery&)>;

inline double compared_score(const Query& query, std::size_t document, const MeasureRules& rules) {
  const double score = query.scores[document];
  return rules.score_precision == ScorePrecision::single ? static_cast<float>(score) : score;
}

/// Whether the rules let `a` stand directly before `b`.
inline bool may_precede(const Query& query, const MeasureRules& rules, std::size_t a,
                        std::size_t b) {
  const double score_a = compared_score(query, a, rules);
  const double score_b = compared_score(query, b, rules);
  if (score_a != score_b) return score_a > score_b;
  if (rules.ties == Ties::averaged) return true;
  if (rules.ties == Ties::input_order) return a < b;
  return query.document_ids[a] > query.document_ids[b];
}

/// The mean of the formula over every order the rules allow: all permutations are tried.
inline double mean_over_orders(const Query& query, const MeasureRules& rules, std::int64_t k,
                               const Formula& formula) {
  std::vector<std::size_t> order(query.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double sum = 0;
  int count = 0;
  do {
    bool allowed = true;
    for (std::size_t place = 1; place < order.size() && allowed; ++place) {
      allowed = may_precede(query, rules, order[place - 1], order[place]);
    }
    if (!allowed) continue;
    OrderedQuery ordered;
    ordered.rules = rules;
    ordered.k = k;
    for (const std::size_t document : order) {
      ordered.scores.push_back(compared_score(query, document, rules));
      ordered.grades.push_back(query.grades[document]);
    }
    ordered.all_grades = query.grades;
    ordered.all_grades.insert(ordered.all_grades.end(), query.missing_grades.begin(),
                              query.missing_grades.end());
    std::sort(ordered.all_grades.begin(), ordered.all_grades.end(), std::greater<>());
    sum += formula(ordered);
    ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum / count;
}

/// Up to six documents, few distinct scores and grades, so that ties, one grade, one document and
/// no document all occur; now and then real and negative grades, and missing documents.
inline Query random_query(std::mt19937& random) {
  static constexpr std::string_view kIds[] = {"d3", "D10", "d10", "a", "zz", "d2"};
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  Query query;
  const int size = below(7);
  const auto levels = static_cast<unsigned>(1 + random() % 4);
  const bool real = below(5) == 0;
  const bool negative = below(5) == 0;
  const double step = below(4) == 0 ? 1e-9 : 0.5;  // 1e-9: equal in single precision
  const auto num_scores = static_cast<unsigned>(1 + random() % 6);
  const auto grade = [&] {
    const double whole = below(levels) - (negative ? 1 : 0);
    return real ? whole + 0.25 * below(4) : whole;
  };
  for (int document = 0; document < size; ++document) {
    query.scores.push_back(1 + step * below(num_scores));
    query.grades.push_back(grade());
    query.document_ids.push_back(kIds[document]);
  }
  for (int missing = below(6) - 3; missing > 0; --missing) query.missing_grades.push_back(grade());
  return query;
}

inline MeasureRules random_rules(std::mt19937& random) {
  MeasureRules rules = measure_rules(static_cast<Convention>(random() % 6));
  rules.empty_queries = EmptyQueries::skip;  // NaN shows that the measure saw the query is empty
  if (random() % 2 == 0) rules.ties = static_cast<Ties>(random() % 3);
  if (random() % 3 == 0) rules.short_lists = static_cast<ShortLists>(random() % 3);
  if (random() % 3 == 0) rules.relevant = 2;
  if (random() % 2 == 0) rules.max_grade = 4;
  return rules;
}

inline void expect_agreement(const std::string& name, bool takes_cut_off, const Formula& formula,
                             int num_cases = 3000) {
  std::mt19937 random(12345);
  int num_defined = 0;
  for (int number = 0; number < num_cases; ++number) {
    const Query query = random_query(random);
    const MeasureRules rules = random_rules(random);
    const Measure measure{
        name, takes_cut_off ? static_cast<std::int64_t>(1 + random() % 8) : Measure::kNoCut};
    const double value = measure_query(query.ranking(), std::vector{measure}, rules)[0];
    const double expected = mean_over_orders(query, rules, measure.k, formula);
    ASSERT_EQ(std::isnan(value), std::isnan(expected)) << measure.text() << " case " << number;
    if (std::isnan(expected)) continue;
    ++num_defined;
    ASSERT_NEAR(value, expected, 1e-13 * std::max(1.0, std::abs(expected)))
        << measure.text() << " case " << number;
  }
  EXPECT_GT(num_defined, num_cases / 4);
}

}  // namespace rankine::naive
