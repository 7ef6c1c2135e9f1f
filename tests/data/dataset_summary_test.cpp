#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <rankine/summary.hpp>

#include "oracles/slow_summary.hpp"

namespace rankine {
namespace {

TEST(Summary, counts_pairs_and_queries_as_listing_does) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Dataset data =
        oracles::tied_dataset(seed, {.num_queries = 20, .longest = 5, .sparse = seed % 2 == 1});
    const DatasetSummary summary = summarise(data, {.relevant = 2});
    std::int64_t pairs = 0;
    std::int64_t without_pairs = 0;
    std::int64_t without_relevant = 0;
    for (std::int64_t query = 0; query < data.num_queries(); ++query) {
      std::int64_t own = 0;
      oracles::for_each_pair(data, query, [&](auto, auto) { ++own; });
      pairs += own;
      without_pairs += own == 0 ? 1 : 0;
      bool relevant = false;
      for (auto doc = data.query_offsets[static_cast<std::size_t>(query)];
           doc < data.query_offsets[static_cast<std::size_t>(query) + 1]; ++doc) {
        relevant = relevant || data.grades[static_cast<std::size_t>(doc)] >= 2;
      }
      without_relevant += relevant ? 0 : 1;
    }
    EXPECT_EQ(summary.num_pairs, pairs);
    EXPECT_EQ(summary.num_queries_without_pairs, without_pairs);
    EXPECT_EQ(summary.num_queries_without_relevant, without_relevant);
    EXPECT_TRUE(std::count(summary.constant_columns.begin(), summary.constant_columns.end(), 0));
  }
}

TEST(Summary, pair_accuracy_is_the_share_of_pairs_a_feature_orders) {
  const Dataset data = oracles::tied_dataset(5, {.num_queries = 10, .num_values = 4});
  const DatasetSummary summary = summarise(data, {.per_feature = true});
  for (std::size_t c = 0; c < 4; ++c) {
    double ordered = 0;
    for (std::int64_t query = 0; query < data.num_queries(); ++query) {
      oracles::for_each_pair(data, query, [&](std::int64_t winner, std::int64_t loser) {
        const float gap = oracles::slow_row(data, winner)[c] - oracles::slow_row(data, loser)[c];
        ordered += gap > 0 ? 1 : gap == 0 ? 0.5 : 0;
      });
    }
    EXPECT_DOUBLE_EQ(summary.pair_accuracy[c], ordered / static_cast<double>(summary.num_pairs));
  }
  EXPECT_EQ(summary.pair_accuracy[0], 0.5) << "a constant feature decides nothing";
}

TEST(Summary, is_the_same_for_any_number_of_threads) {
  const Dataset data = oracles::tied_dataset(
      7, {.num_queries = 500, .longest = 30, .num_values = 50, .sparse = true});
  const DatasetSummary one = summarise(data, {.per_feature = true, .threads = 1});
  const DatasetSummary many = summarise(data, {.per_feature = true, .threads = 5});
  EXPECT_EQ(one.num_pairs, many.num_pairs);
  EXPECT_EQ(one.num_duplicates, many.num_duplicates);
  EXPECT_EQ(one.pair_accuracy, many.pair_accuracy);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(one.columns[c].deviation, many.columns[c].deviation);
  }
}

TEST(Summary, does_not_depend_on_how_features_are_stored) {
  const Dataset sparse = oracles::tied_dataset(9, {.num_queries = 30, .sparse = true});
  Dataset dense = sparse;
  std::vector<float> values;
  for (std::int64_t doc = 0; doc < sparse.num_documents(); ++doc) {
    const auto row = oracles::slow_row(sparse, doc);
    values.insert(values.end(), row.begin(), row.end());
  }
  dense.features = DenseMatrix{sparse.num_documents(), sparse.num_features(), values};
  const DatasetSummary a = summarise(sparse, {.per_feature = true});
  const DatasetSummary b = summarise(dense, {.per_feature = true});
  EXPECT_EQ(a.num_nonzero, b.num_nonzero);
  EXPECT_EQ(a.density(), b.density());
  EXPECT_EQ(a.num_duplicates, b.num_duplicates);
  EXPECT_EQ(a.num_undecidable_pairs, b.num_undecidable_pairs);
  EXPECT_EQ(a.pair_accuracy, b.pair_accuracy);
  EXPECT_EQ(a.constant_columns, b.constant_columns);
}

Dataset with_grades(std::vector<double> grades, std::vector<std::int64_t> offsets) {
  Dataset data;
  const auto n = static_cast<std::int64_t>(grades.size());
  std::vector<float> values(grades.begin(), grades.end());
  data.features = DenseMatrix{n, 1, values};
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  return data;
}

TEST(Summary, lists_grades_with_their_counts) {
  const DatasetSummary summary = summarise(with_grades({2, 0, 0, 1.5, 0}, {0, 5}));
  ASSERT_EQ(summary.grade_counts.size(), 3u);
  EXPECT_EQ(summary.grade_counts[0].count, 3);
  EXPECT_EQ(summary.grade_counts[1].grade, 1.5);
  EXPECT_EQ(summary.grades.median, 0);
  EXPECT_EQ(summary.grades.upper_quartile, 1.5);
}

TEST(Summary, many_real_grades_are_told_by_quartiles_alone) {
  std::vector<double> grades;
  for (int doc = 0; doc <= 100; ++doc) grades.push_back(doc / 10.0);
  const DatasetSummary summary = summarise(with_grades(grades, {0, 101}));
  EXPECT_TRUE(summary.grade_counts.empty());
  EXPECT_EQ(summary.num_distinct_grades, 101);
  EXPECT_EQ(summary.grades.lower_quartile, 2.5);
}

TEST(Summary, quartiles_interpolate_between_neighbours) {
  const DatasetSummary summary = summarise(with_grades({1, 2, 3, 4}, {0, 4}));
  EXPECT_DOUBLE_EQ(summary.grades.lower_quartile, 1.75);
  EXPECT_DOUBLE_EQ(summary.grades.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.grades.mean, 2.5);
}

TEST(Summary, the_length_histogram_holds_every_query_in_its_bin) {
  std::vector<std::int64_t> offsets{0};
  for (int length = 3; length <= 100; ++length) offsets.push_back(offsets.back() + length);
  const auto n = static_cast<std::size_t>(offsets.back());
  const DatasetSummary summary = summarise(with_grades(std::vector<double>(n, 1.0), offsets));
  EXPECT_EQ(summary.query_lengths.least, 3);
  EXPECT_EQ(summary.query_lengths.most, 100);
  EXPECT_EQ(summary.length_bin_width, 5);
  ASSERT_EQ(summary.length_histogram.size(), 20u);
  EXPECT_EQ(summary.length_histogram.front(), 5);
  EXPECT_EQ(summary.length_histogram.back(), 3);
}

TEST(Summary, explicit_preferences_replace_the_pairs_of_the_grades) {
  Dataset data = with_grades({2, 1, 0, 1, 0}, {0, 3, 5});
  data.has_preferences = true;
  data.preferences = {{0, 2, 1, 1}};
  const DatasetSummary summary = summarise(data);
  EXPECT_EQ(summary.num_pairs, 1);
  EXPECT_EQ(summary.num_queries_without_pairs, 1);
}

TEST(Summary, without_pairs_no_accuracy_is_claimed) {
  const DatasetSummary summary = summarise(with_grades({1, 1}, {0, 2}), {.per_feature = true});
  EXPECT_EQ(summary.num_pairs, 0);
  EXPECT_TRUE(std::isnan(summary.pair_accuracy[0]));
}

TEST(Summary, an_empty_data_set_is_all_zeros) {
  const DatasetSummary summary = summarise(Dataset{}, {.per_feature = true});
  EXPECT_EQ(summary.num_documents, 0);
  EXPECT_EQ(summary.num_pairs, 0);
  EXPECT_EQ(summary.density(), 0);
}

TEST(Summary, stops_when_the_caller_says_so) {
  const Dataset data = oracles::tied_dataset(1);
  try {
    summarise(data, {}, [](const ProgressEvent&) { return false; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_STREQ(error.what(), "summarising tied: interrupted");
  }
}

TEST(Summary, refuses_options_out_of_range) {
  EXPECT_THROW(summarise(Dataset{}, {.threads = -1}), Error);
}

}  // namespace
}  // namespace rankine
