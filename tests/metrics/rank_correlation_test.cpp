#include "metrics/rank_correlation.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

using naive::OrderedQuery;

double sign(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

double naive_tau_b(const OrderedQuery& query) {
  double agreement = 0;
  double by_score = 0;
  double by_grade = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double score = sign(query.scores[i] - query.scores[j]);
      const double grade = sign(query.grades[i] - query.grades[j]);
      agreement += score * grade;
      by_score += score * score;
      by_grade += grade * grade;
    }
  }
  if (by_grade == 0) return naive::kNothing;
  return by_score == 0 ? 0 : agreement / std::sqrt(by_score * by_grade);
}

/// 1 + how many are larger + half of the others that are equal.
std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    double rank = 0.5;
    for (const double other : values) rank += other > value ? 1 : other == value ? 0.5 : 0;
    ranks.push_back(rank);
  }
  return ranks;
}

double naive_spearman(const OrderedQuery& query) {
  const auto x = mid_ranks(query.scores);
  const auto y = mid_ranks(query.grades);
  const double mean = (static_cast<double>(query.size()) + 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (yy == 0) return naive::kNothing;
  return xx == 0 ? 0 : xy / std::sqrt(xx * yy);
}

TEST(RankCorrelation, equals_the_formulas_over_listed_pairs_and_ranks) {
  naive::expect_agreement("tau_b", false, naive_tau_b);
  naive::expect_agreement("spearman", false, naive_spearman);
}

}  // namespace
}  // namespace rankine
