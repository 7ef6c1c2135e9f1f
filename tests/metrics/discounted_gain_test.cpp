#include "metrics/discounted_gain.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

using naive::OrderedQuery;

double gain(const OrderedQuery& query, double grade) {
  if (grade < 0) return 0;
  return query.rules.gain == Gain::linear ? grade : std::pow(2.0, grade) - 1;
}

double discount(const OrderedQuery& query, std::size_t rank) {
  const double r = static_cast<double>(rank);
  if (query.rules.discount == Discount::log2) return std::log(2.0) / std::log(1 + r);
  return rank == 1 ? 1 : std::log(2.0) / std::log(r);
}

double dcg_of(const OrderedQuery& query, const std::vector<double>& grades, std::int64_t k) {
  double sum = 0;
  for (std::size_t rank = 1; rank <= grades.size() && static_cast<std::int64_t>(rank) <= k;
       ++rank) {
    sum += gain(query, grades[rank - 1]) * discount(query, rank);
  }
  return sum;
}

double naive_dcg(const OrderedQuery& query) {
  const double best = dcg_of(query, query.all_grades, Measure::kNoCut);
  return best == 0 ? naive::kNothing : dcg_of(query, query.grades, query.k);
}

double naive_ndcg(const OrderedQuery& query) {
  const double best = dcg_of(query, query.all_grades, query.k);
  if (best == 0) return naive::kNothing;
  if (query.rules.short_lists == ShortLists::zero && query.k != Measure::kNoCut &&
      static_cast<std::int64_t>(query.size()) < query.k) {
    return 0;
  }
  return dcg_of(query, query.grades, query.k) / best;
}

double naive_mean_ndcg(const OrderedQuery& query) {
  if (dcg_of(query, query.all_grades, 1) == 0) return naive::kNothing;
  double sum = 0;
  for (std::int64_t k = 1; k <= static_cast<std::int64_t>(query.size()); ++k) {
    sum += dcg_of(query, query.grades, k) / dcg_of(query, query.all_grades, k);
  }
  return query.size() == 0 ? 0 : sum / static_cast<double>(query.size());
}

TEST(DiscountedGain, equals_the_formulas_averaged_over_the_allowed_orders) {
  naive::expect_agreement("dcg", true, naive_dcg);
  naive::expect_agreement("dcg", false, naive_dcg);
  naive::expect_agreement("ndcg", true, naive_ndcg);
  naive::expect_agreement("ndcg", false, naive_ndcg);
  naive::expect_agreement("mean_ndcg", false, naive_mean_ndcg);
}

// Grades 1 0 2 0 in the order of the scores, by hand. LETOR: gains 1 0 3 0, discounts 1, 1,
// 1/log2(3), 1/2; ideal order 2 1 0 0.
TEST(DiscountedGain, follows_letors_script_on_a_case_worked_by_hand) {
  const std::vector<double> scores{4, 3, 2, 1};
  const std::vector<double> grades{1, 0, 2, 0};
  const auto rules = measure_rules(Convention::letor);
  const auto values =
      measure_query({scores, grades},
                    parse_measures("ndcg@1,ndcg@2,ndcg@3,ndcg@4,ndcg@5,mean_ndcg,dcg@3"), rules);
  const double dcg3 = 1 + 3 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(values[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(values[1], 1.0 / 4);
  EXPECT_DOUBLE_EQ(values[2], dcg3 / 4);
  EXPECT_DOUBLE_EQ(values[3], dcg3 / 4);
  EXPECT_EQ(values[4], 0);  // four documents have no NDCG@5
  EXPECT_DOUBLE_EQ(values[5], (1.0 / 3 + 1.0 / 4 + dcg3 / 4 + dcg3 / 4) / 4);
  EXPECT_DOUBLE_EQ(values[6], dcg3);
}

TEST(DiscountedGain, refuses_grades_whose_gain_would_overflow) {
  const std::vector<double> scores{1, 2};
  const std::vector<double> grades{1001, 0};
  const auto measures = parse_measures("ndcg");
  try {
    measure_query({scores, grades}, measures, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "grade 1001 is too large for the exponential gain (at most 1000): use gain = "
                 "linear");
  }
  MeasureRules linear;
  linear.gain = Gain::linear;
  EXPECT_DOUBLE_EQ(measure_query({scores, grades}, measures, linear)[0], 1 / std::log2(3.0));
  const std::vector<double> large{1000, 999};
  EXPECT_NEAR(measure_query({scores, large}, measures, {})[0],
              (0.5 + 1 / std::log2(3.0)) / (1 + 0.5 / std::log2(3.0)), 1e-15);
}

}  // namespace
}  // namespace rankine
