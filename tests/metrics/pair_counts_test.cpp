#include "metrics/pair_counts.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

PairCounts listed_pairs(const std::vector<double>& scores, const std::vector<double>& grades) {
  PairCounts counts;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double score = scores[i] - scores[j];
      const double grade = grades[i] - grades[j];
      if (score == 0 && grade == 0) {
        ++counts.double_ties;
      } else if (score == 0) {
        ++counts.score_ties;
      } else if (grade == 0) {
        ++counts.grade_ties;
      } else if ((score > 0) == (grade > 0)) {
        ++counts.concordant;
      } else {
        ++counts.discordant;
      }
    }
  }
  return counts;
}

TEST(PairCounts, equal_the_counts_over_listed_pairs) {
  std::mt19937 random(7);
  for (int number = 0; number < 500; ++number) {
    const std::size_t size = random() % 60;
    const auto num_scores = 1 + random() % 40;
    const auto num_grades = 1 + random() % 40;
    std::vector<double> scores;
    std::vector<double> grades;
    for (std::size_t document = 0; document < size; ++document) {
      scores.push_back(static_cast<double>(random() % num_scores));
      grades.push_back(static_cast<double>(random() % num_grades) / 3 - 2);
    }
    for (const Ties ties : {Ties::averaged, Ties::input_order}) {
      MeasureRules rules;
      rules.ties = ties;
      const PairCounts counts = count_pairs(rank_query({scores, grades}, rules));
      const PairCounts expected = listed_pairs(scores, grades);
      ASSERT_EQ(counts.concordant, expected.concordant);
      ASSERT_EQ(counts.discordant, expected.discordant);
      ASSERT_EQ(counts.score_ties, expected.score_ties);
      ASSERT_EQ(counts.grade_ties, expected.grade_ties);
      ASSERT_EQ(counts.double_ties, expected.double_ties);
    }
  }
}

}  // namespace
}  // namespace rankine
