#include "synth/synthetic_source.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

SyntheticRow row_of(const SyntheticSource& source, std::int64_t query, std::int64_t document) {
  SyntheticRow row;
  source.make_row(source.query(query), document, row);
  return row;
}

std::vector<double> values_of(const SyntheticRow& row) {
  std::vector<double> values;
  for (const auto millionths : row.millionths) {
    values.push_back(static_cast<double>(millionths) / 1e6);
  }
  return values;
}

void expect_equal(const SyntheticRow& a, const SyntheticRow& b) {
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.millionths, b.millionths);
  EXPECT_EQ(a.true_score, b.true_score);
  EXPECT_EQ(a.grade, b.grade);
}

/// The weights of features and constant that give the true scores of the first rows exactly, by
/// Gaussian elimination.
std::vector<double> fitted_weights(const SyntheticSource& source) {
  const auto size = static_cast<std::size_t>(source.options().features) + 1;
  std::vector<std::vector<double>> system;
  for (std::size_t row = 0; row < size; ++row) {
    const SyntheticRow made = row_of(source, static_cast<std::int64_t>(row), 0);
    system.push_back(values_of(made));
    system.back().push_back(1);
    system.back().push_back(made.true_score);
  }
  for (std::size_t pivot = 0; pivot < size; ++pivot) {
    const auto largest = std::max_element(
        system.begin() + static_cast<std::ptrdiff_t>(pivot), system.end(),
        [&](const auto& a, const auto& b) { return std::abs(a[pivot]) < std::abs(b[pivot]); });
    std::swap(system[pivot], *largest);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == pivot) continue;
      const double factor = system[row][pivot] / system[pivot][pivot];
      for (std::size_t k = pivot; k <= size; ++k) system[row][k] -= factor * system[pivot][k];
    }
  }
  std::vector<double> weights;
  for (std::size_t k = 0; k < size; ++k) weights.push_back(system[k][size] / system[k][k]);
  return weights;
}

/// Root mean square of true score - linear function.
double misfit(const SyntheticSource& source, const std::vector<double>& weights) {
  double sum = 0;
  constexpr int kRows = 500;
  for (int row = 0; row < kRows; ++row) {
    const SyntheticRow made = row_of(source, 1000 + row, 3);
    const auto values = values_of(made);
    double difference = made.true_score - weights.back();
    for (std::size_t k = 0; k < values.size(); ++k) difference -= weights[k] * values[k];
    sum += difference * difference / kRows;
  }
  return std::sqrt(sum);
}

TEST(SyntheticSource, rows_depend_on_options_query_and_document_alone) {
  for (const double density : {1.0, 0.2}) {
    SynthOptions options;
    options.density = density;
    const SyntheticSource source(options);
    const SyntheticSource again(options);
    const SyntheticRow third = row_of(source, 2, 3);
    SyntheticRow reused;
    for (const std::int64_t document : {9, 0, 3}) {
      again.make_row(again.query(2), document, reused);
    }
    expect_equal(reused, third);
  }
}

TEST(SyntheticSource, seeds_give_different_data) {
  EXPECT_NE(row_of(SyntheticSource({.seed = 0}), 0, 0).millionths,
            row_of(SyntheticSource({.seed = 1}), 0, 0).millionths);
}

TEST(SyntheticSource, features_stay_when_noise_grades_and_truth_change) {
  const SyntheticRow row = row_of(SyntheticSource(SynthOptions{}), 5, 6);
  const SynthOptions others{.grades = 3, .noise = 2, .irrelevant = 0.5, .truth = Truth::rbf};
  EXPECT_EQ(row_of(SyntheticSource(others), 5, 6).millionths, row.millionths);
}

TEST(SyntheticSource, linear_truth_is_linear_in_the_written_values) {
  const SyntheticSource source({.features = 12, .irrelevant = 0.25});
  const auto weights = fitted_weights(source);
  EXPECT_LT(misfit(source, weights), 1e-9);
  EXPECT_EQ(std::count_if(weights.begin(), weights.end() - 1,
                          [](double weight) { return std::abs(weight) < 1e-9; }),
            3);
}

TEST(SyntheticSource, rbf_truth_is_far_from_linear) {
  const SyntheticSource source({.features = 12, .truth = Truth::rbf});
  EXPECT_GT(misfit(source, fitted_weights(source)), 0.5);
}

TEST(SyntheticSource, true_scores_have_spread_one_within_a_query) {
  for (const Truth truth : {Truth::linear, Truth::rbf}) {
    const SyntheticSource source({.truth = truth});
    double mean = 0;
    double variance = 0;
    constexpr int kQueries = 2000;
    for (int query = 0; query < kQueries; ++query) {
      const double first = row_of(source, query, 0).true_score;
      const double second = row_of(source, query, 1).true_score;
      mean += (first + second) / 2 / kQueries;
      variance += (first - second) * (first - second) / 2 / kQueries;
    }
    EXPECT_NEAR(mean, 0, 0.15);
    EXPECT_NEAR(variance, 1, 0.2);
  }
}

TEST(SyntheticSource, real_grades_without_noise_and_query_effect_are_the_true_scores) {
  const SyntheticSource source({.grades = 0, .noise = 0, .query_effect = 0});
  for (int document = 0; document < 20; ++document) {
    const SyntheticRow row = row_of(source, 4, document);
    EXPECT_EQ(row.grade, row.true_score);
  }
}

TEST(SyntheticSource, noise_is_in_units_of_the_true_score) {
  const SyntheticSource source({.grades = 0, .noise = 2, .query_effect = 0});
  double variance = 0;
  constexpr int kRows = 4000;
  for (int document = 0; document < kRows; ++document) {
    const SyntheticRow row = row_of(source, 0, document);
    variance += (row.grade - row.true_score) * (row.grade - row.true_score) / kRows;
  }
  EXPECT_NEAR(variance, 4, 0.4);
}

TEST(SyntheticSource, query_effect_shifts_all_grades_of_a_query_alike) {
  const SyntheticSource source({.grades = 0, .noise = 0, .query_effect = 1});
  const SyntheticRow first = row_of(source, 7, 0);
  for (int document = 1; document < 10; ++document) {
    const SyntheticRow row = row_of(source, 7, document);
    EXPECT_NEAR(row.grade - row.true_score, first.grade - first.true_score, 1e-12);
  }
  const SyntheticRow other = row_of(source, 8, 0);
  EXPECT_GT(std::abs((other.grade - other.true_score) - (first.grade - first.true_score)), 0.01);
}

TEST(SyntheticSource, higher_grades_are_rarer_and_the_highest_occurs) {
  for (const int grades : {2, 3, 5, 20}) {
    const SyntheticSource source({.grades = grades});
    std::vector<int> counts(static_cast<std::size_t>(grades));
    for (int query = 0; query < 4000; ++query) {
      ++counts[static_cast<std::size_t>(row_of(source, query, 0).grade)];
    }
    EXPECT_GT(counts.back(), 0);
    for (std::size_t grade = 4; grade < counts.size(); grade += 4) {
      EXPECT_LT(counts[grade], counts[grade - 4]);
    }
    if (grades <= 5) {
      EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));
      EXPECT_GT(counts[0], 4000 * 11 / 20);
    }
  }
}

TEST(SyntheticSource, one_grade_means_grade_0) {
  const SyntheticSource source({.grades = 1});
  for (int document = 0; document < 20; ++document) EXPECT_EQ(row_of(source, 0, document).grade, 0);
}

TEST(SyntheticSource, without_relevant_features_grades_are_noise) {
  for (const Truth truth : {Truth::linear, Truth::rbf}) {
    const SyntheticSource source({.irrelevant = 1, .truth = truth});
    double largest = 0;
    for (int query = 0; query < 200; ++query) {
      const SyntheticRow row = row_of(source, query, 0);
      EXPECT_EQ(row.true_score, 0);
      largest = std::max(largest, row.grade);
    }
    EXPECT_GT(largest, 0);
  }
}

TEST(SyntheticSource, features_share_as_much_variance_as_asked) {
  for (const double correlation : {0.0, 0.5}) {
    // Fewer than 12 features are one group.
    const SyntheticSource source({.features = 11, .correlation = correlation, .query_effect = 0});
    // Ranks of normal variables with correlation r agree in sign with probability
    // 1/2 + asin(r) / pi about the median, whatever monotone function is applied to them.
    constexpr int kRows = 4000;
    std::vector<std::vector<double>> columns(11);
    for (int document = 0; document < kRows; ++document) {
      const auto values = values_of(row_of(source, 0, document));
      for (std::size_t k = 0; k < values.size(); ++k) columns[k].push_back(values[k]);
    }
    for (auto& column : columns) {
      auto sorted = column;
      std::nth_element(sorted.begin(), sorted.begin() + kRows / 2, sorted.end());
      for (double& value : column) value -= sorted[kRows / 2];
    }
    for (std::size_t k = 1; k < columns.size(); ++k) {
      int agree = 0;
      for (std::size_t row = 0; row < kRows; ++row) {
        agree += (columns[0][row] > 0) == (columns[k][row] > 0);
      }
      EXPECT_NEAR(static_cast<double>(agree) / kRows, 0.5 + std::asin(correlation) / M_PI, 0.035);
    }
  }
}

TEST(SyntheticSource, three_features_in_four_are_bounded_and_the_others_have_heavy_tails) {
  const SyntheticSource source({.features = 400});
  std::vector<double> largest(400, 0);
  for (int query = 0; query < 200; ++query) {
    const auto values = values_of(row_of(source, query, 0));
    for (std::size_t k = 0; k < values.size(); ++k) largest[k] = std::max(largest[k], values[k]);
  }
  const auto heavy =
      std::count_if(largest.begin(), largest.end(), [](double value) { return value > 1; });
  EXPECT_NEAR(static_cast<double>(heavy), 100, 35);
  EXPECT_GT(*std::max_element(largest.begin(), largest.end()), 10);
}

TEST(SyntheticSource, sparse_rows_have_rising_columns_with_values_and_the_density_asked) {
  const SyntheticSource source({.features = 5000, .density = 0.01});
  std::size_t total = 0;
  std::vector<int> counts(10);
  constexpr int kRows = 1000;
  for (int document = 0; document < kRows; ++document) {
    const SyntheticRow row = row_of(source, 0, document);
    total += row.columns.size();
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      ASSERT_LT(row.columns[k], 5000u);
      if (k > 0) {
        ASSERT_GT(row.columns[k], row.columns[k - 1]);
      }
      EXPECT_GT(row.millionths[k], 0u);
      ++counts[row.columns[k] / 500];
    }
  }
  EXPECT_NEAR(static_cast<double>(total) / kRows, 50, 1);
  for (const int count : counts) EXPECT_NEAR(count, 5000, 300);
}

TEST(SyntheticSource, the_smallest_density_makes_empty_rows) {
  const SyntheticSource source({.features = 100, .density = 1e-300});
  EXPECT_TRUE(row_of(source, 0, 0).columns.empty());
}

TEST(SyntheticSource, lengths_follow_their_distribution) {
  for (const auto lengths :
       {LengthDistribution::fixed, LengthDistribution::uniform, LengthDistribution::geometric}) {
    const SyntheticSource source(
        {.queries = 20'000, .documents = 10, .lengths = lengths, .features = 1});
    std::int64_t total = 0;
    std::int64_t least = 1000;
    std::int64_t most = 0;
    for (int query = 0; query < 20'000; ++query) {
      const std::int64_t length = source.query_length(query);
      total += length;
      least = std::min(least, length);
      most = std::max(most, length);
    }
    EXPECT_EQ(total, source.num_rows());
    EXPECT_NEAR(static_cast<double>(total) / 20'000, 10, 0.3);
    if (lengths == LengthDistribution::fixed) {
      EXPECT_EQ(least, most);
    }
    if (lengths != LengthDistribution::fixed) {
      EXPECT_EQ(least, 1);
    }
    if (lengths == LengthDistribution::uniform) {
      EXPECT_EQ(most, 19);
    }
    if (lengths == LengthDistribution::geometric) {
      EXPECT_GT(most, 60);
    }
  }
}

TEST(SyntheticSource, a_mean_length_of_one_is_always_one) {
  for (const auto lengths : {LengthDistribution::uniform, LengthDistribution::geometric}) {
    const SyntheticSource source({.documents = 1, .lengths = lengths, .features = 1});
    for (int query = 0; query < 100; ++query) EXPECT_EQ(source.query_length(query), 1);
  }
}

}  // namespace
}  // namespace rankine
