#include "compute/query_table.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

double count_pairs(const Dataset& data, std::int64_t query) {
  double pairs = 0;
  for (auto i = data.query_offsets[static_cast<std::size_t>(query)];
       i < data.query_offsets[static_cast<std::size_t>(query) + 1]; ++i) {
    for (auto j = data.query_offsets[static_cast<std::size_t>(query)];
         j < data.query_offsets[static_cast<std::size_t>(query) + 1]; ++j) {
      pairs += data.grades[static_cast<std::size_t>(i)] > data.grades[static_cast<std::size_t>(j)];
    }
  }
  return pairs;
}

TEST(QueryTable, counts_pairs_and_leaves_out_queries_without) {
  std::mt19937_64 random(2);
  for (const int levels : {0, 1, 2, 3}) {
    const Dataset data = oracles::random_dataset(random, {.levels = levels});
    const QueryTable table(data, Normalisation::none, 2);
    double pairs = 0;
    std::size_t with_pairs = 0;
    for (std::int64_t q = 0; q < data.num_queries(); ++q) {
      const double here = count_pairs(data, q);
      pairs += here;
      with_pairs += here > 0 ? 1 : 0;
    }
    EXPECT_EQ(table.num_pairs(), pairs);
    EXPECT_EQ(table.queries().size(), with_pairs);
  }
}

TEST(QueryTable, divides_by_the_pairs_as_asked) {
  std::mt19937_64 random(2);
  const Dataset data = oracles::random_dataset(random, {.queries = 5, .weighted = true});
  const QueryTable by_query(data, Normalisation::query, 1);
  const QueryTable in_total(data, Normalisation::total, 1);
  for (std::size_t k = 0; k < by_query.queries().size(); ++k) {
    const auto& query = by_query.queries()[k];
    std::int64_t index = 0;
    while (data.query_offsets[static_cast<std::size_t>(index)] != query.first) ++index;
    const double weight = data.query_weights[static_cast<std::size_t>(index)];
    EXPECT_DOUBLE_EQ(query.factor, weight / count_pairs(data, index));
    EXPECT_DOUBLE_EQ(in_total.queries()[k].factor, weight / in_total.num_pairs());
  }
}

TEST(QueryTable, numbers_grades_in_rising_order) {
  std::mt19937_64 random(8);
  // Some with more grades than a byte can tell.
  const Dataset data = oracles::random_dataset(random, {.most_documents = 600, .levels = 0});
  const QueryTable table(data, Normalisation::none, 2);
  std::uint32_t most_grades = 0;
  for (const auto& query : table.queries()) {
    const QueryDocuments documents = table.documents(query);
    most_grades = std::max(most_grades, documents.num_grades);
    ASSERT_EQ(documents.grade_ranks.size(), documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      EXPECT_LT(documents.grade_ranks[i], documents.num_grades);
      for (std::size_t j = 0; j < documents.size(); ++j) {
        EXPECT_EQ(documents.grades[i] < documents.grades[j],
                  documents.grade_ranks[i] < documents.grade_ranks[j]);
      }
    }
  }
  EXPECT_GT(most_grades, 256U);
}

/// One document a grade, queries of the given lengths.
Dataset graded(Grades grades, const std::vector<std::int64_t>& lengths) {
  Dataset data;
  const auto rows = static_cast<std::int64_t>(grades.size());
  data.features = DenseMatrix{rows, 1, std::vector<float>(grades.size(), 1.0F)};
  data.grades = std::move(grades);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  for (const std::int64_t length : lengths) {
    offsets.push_back(offsets.back() + length);
    ids.push_back(std::to_string(ids.size()));
  }
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  return data;
}

TEST(QueryTable, ranks_grades_alike_however_they_are_stored) {
  // Queries with all grades, the lowest, the highest, the ends, and one alone.
  const std::vector<double> grades{5, 1, 2, 1, 1, 2, 2, 5, 5, 1, 5, 2, 1, 2};
  const std::vector<std::int64_t> lengths{3, 3, 2, 2, 1, 3};
  const std::vector<std::vector<std::uint32_t>> expected{
      {2, 0, 1}, {0, 0, 1}, {0, 1}, {1, 0}, {1, 0, 1}};  // of those with pairs
  const auto codes = [&](const std::vector<double>& levels) {
    std::vector<std::uint8_t> found;
    for (const double grade : grades) {
      found.push_back(static_cast<std::uint8_t>(std::find(levels.begin(), levels.end(), grade) -
                                                levels.begin()));
    }
    return Grades(found, levels);
  };
  for (const Grades& stored : {Grades(grades), codes({1, 2, 5}), codes({5, 1, 2}),
                               codes({0, 1, 2, 5}), codes({1, 1, 2, 5}), codes({1, 2, 5, 5})}) {
    const Dataset data = graded(stored, lengths);
    const QueryTable table(data, Normalisation::none, 2);
    ASSERT_EQ(table.queries().size(), expected.size());
    for (std::size_t q = 0; q < expected.size(); ++q) {
      const QueryDocuments documents = table.documents(table.queries()[q]);
      ASSERT_EQ(documents.grade_ranks.size(), expected[q].size());
      for (std::size_t k = 0; k < expected[q].size(); ++k) {
        EXPECT_EQ(documents.grade_ranks[k], expected[q][k]);
      }
      EXPECT_EQ(documents.num_grades, q == 0 ? 3U : 2U);
    }
  }
}

TEST(QueryTable, gives_equal_grades_of_a_long_query_one_number) {
  std::mt19937_64 random(12);
  std::vector<double> grades;
  for (int doc = 0; doc < 6000; ++doc) {
    const double grade = static_cast<double>(random() % 700) / 7 - 50;
    grades.push_back(grade == 0 && random() % 2 == 0 ? -0.0 : grade);
  }
  std::vector<double> distinct(grades);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Dataset data = graded(grades, {6000});
  const QueryTable table(data, Normalisation::none, 1);
  const QueryDocuments documents = table.documents(table.queries()[0]);
  ASSERT_EQ(documents.num_grades, distinct.size());
  for (std::size_t doc = 0; doc < 6000; ++doc) {
    EXPECT_EQ(distinct[documents.grade_ranks[doc]], grades[doc]);
  }
}

TEST(QueryTable, takes_explicit_preferences_in_place_of_grades) {
  std::mt19937_64 random(8);
  Dataset data = oracles::random_dataset(random, {.queries = 3, .levels = 1});  // no pairs by grade
  const std::int64_t second = data.query_offsets[1];
  ASSERT_GE(data.query_offsets[1], 2);
  ASSERT_GE(data.query_offsets[2] - second, 2);
  data.has_preferences = true;
  data.preferences = {{second + 1, second, 2, 3}, {1, 0, 1, 1}, {second, second + 1, 0.5, 1}};
  const QueryTable table(data, Normalisation::query, 1);
  ASSERT_EQ(table.queries().size(), 2U);
  EXPECT_EQ(table.num_pairs(), 3);
  EXPECT_EQ(table.queries()[1].factor, 0.5);
  const QueryDocuments documents = table.documents(table.queries()[1]);
  ASSERT_EQ(documents.pairs.size(), 2U);
  EXPECT_EQ(documents.pairs[0].winner, 1U);
  EXPECT_EQ(documents.pairs[0].loser, 0U);
  EXPECT_EQ(documents.pairs[0].weight, 2);
  EXPECT_EQ(documents.pairs[0].magnitude, 3);
  EXPECT_EQ(documents.pairs[1].winner, 0U);
}

TEST(QueryTable, names_the_preference_it_cannot_take) {
  std::mt19937_64 random(8);
  Dataset data = oracles::random_dataset(random, {.queries = 2});
  data.has_preferences = true;
  const auto message = [&](const Preference& preference) -> std::string {
    data.preferences = {preference};
    try {
      const QueryTable table(data, Normalisation::none, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "";
  };
  const std::int64_t other = data.query_offsets[1];
  EXPECT_EQ(message({0, other, 1, 1}), "random: preference 1: documents 1 and " +
                                           std::to_string(other + 1) + " are of different queries");
  EXPECT_EQ(message({0, 0, 1, 1}), "random: preference 1: document 1 over itself");
  EXPECT_EQ(message({-1, 0, 1, 1}), "random: preference 1: there is no document 0, the data has " +
                                        std::to_string(data.num_documents()));
  EXPECT_EQ(message({1, 0, -2, 1}),
            "random: preference 1: weight -2 and magnitude 1 must be finite and not negative");
}

}  // namespace
}  // namespace rankine
