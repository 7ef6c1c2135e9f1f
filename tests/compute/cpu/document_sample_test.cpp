#include "compute/cpu/document_sample.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

struct LongQuery {
  std::vector<double> grades;
  std::vector<std::uint32_t> ranks;
  std::vector<double> weights;
  std::uint32_t num_grades = 0;

  QueryDocuments documents() const { return {grades, ranks, num_grades, weights}; }
};

/// Documents of a few grades, of which `rare` have the best one.
LongQuery graded(std::size_t size, std::size_t rare) {
  LongQuery query;
  query.num_grades = 3;
  for (std::size_t doc = 0; doc < size; ++doc) {
    query.ranks.push_back(doc % (size / rare) == 7 ? 2U : doc % 3 == 0 ? 1U : 0U);
    query.grades.push_back(0.5 * query.ranks.back());
  }
  return query;
}

QueryShare::Chosen some(std::size_t num_documents, std::size_t part = 0) {
  return {.query = 5, .scale = 1, .num_documents = num_documents, .part = part};
}

TEST(DocumentSample, is_the_query_itself_unless_some_are_asked_for) {
  const LongQuery query = graded(100, 10);
  const DocumentSample sample(query.documents(), some(0), 0);
  EXPECT_TRUE(sample.numbers().empty());
  std::vector<double> room;
  EXPECT_EQ(sample.documents().grades.values(room).data(), query.grades.data());
  EXPECT_EQ(sample.documents().size(), 100U);
}

TEST(DocumentSample, stands_for_as_many_of_each_grade_and_takes_rare_ones_whole) {
  const LongQuery query = graded(30'000, 20);
  const DocumentSample sample(query.documents(), some(500), 0);
  const QueryDocuments& documents = sample.documents();
  EXPECT_EQ(documents.size(), 500U);
  EXPECT_EQ(documents.num_grades, 3U);
  EXPECT_TRUE(std::is_sorted(sample.numbers().begin(), sample.numbers().end()));
  std::vector<double> stood_for(3);
  std::vector<std::size_t> taken(3);
  for (std::size_t k = 0; k < documents.size(); ++k) {
    const std::uint32_t number = sample.numbers()[k];
    EXPECT_EQ(documents.grade_ranks[k], query.ranks[number]);
    EXPECT_EQ(documents.grades[k], query.grades[number]);
    stood_for[documents.grade_ranks[k]] += documents.weights[k];
    ++taken[documents.grade_ranks[k]];
  }
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    const auto count = std::count(query.ranks.begin(), query.ranks.end(), rank);
    EXPECT_NEAR(stood_for[rank], static_cast<double>(count), 1e-9 * static_cast<double>(count));
  }
  EXPECT_EQ(taken[2], 20U);
  EXPECT_EQ(taken[0], 240U);
  EXPECT_EQ(taken[1], 240U);
}

TEST(DocumentSample, of_many_grades_is_from_all_over_the_query_with_ranks_without_gaps) {
  constexpr std::size_t kSize = 20'000;
  LongQuery query;
  query.num_grades = kSize;
  for (std::size_t doc = 0; doc < kSize; ++doc) {
    query.ranks.push_back(static_cast<std::uint32_t>(doc * 7919 % kSize));
    query.grades.push_back(static_cast<double>(query.ranks.back()));
    query.weights.push_back(doc % 2 == 0 ? 1.0 : 3.0);
  }
  const DocumentSample sample(query.documents(), some(1000), 0);
  const QueryDocuments& documents = sample.documents();
  ASSERT_EQ(documents.size(), 1000U);
  EXPECT_EQ(documents.num_grades, 1000U);
  std::set<std::uint32_t> ranks;
  for (std::size_t k = 0; k < 1000; ++k) {
    EXPECT_EQ(sample.numbers()[k] / 20, k);  // one from each stretch
    EXPECT_EQ(documents.weights[k], 20 * query.weights[sample.numbers()[k]]);
    ranks.insert(documents.grade_ranks[k]);
    if (k > 0) {
      EXPECT_EQ(documents.grades[k] > documents.grades[k - 1],
                documents.grade_ranks[k] > documents.grade_ranks[k - 1]);
    }
  }
  EXPECT_EQ(ranks.size(), 1000U);
  EXPECT_EQ(*ranks.rbegin(), 999U);
}

TEST(DocumentSample, has_no_documents_of_weight_0) {
  LongQuery query = graded(30'000, 20);
  for (std::size_t doc = 0; doc < 30'000; ++doc) {
    query.weights.push_back(doc % 100 == 7 || doc % 100 == 9 ? 2.0 : 0.0);
  }
  const DocumentSample sample(query.documents(), some(300), 0);
  EXPECT_EQ(sample.documents().size(), 300U);
  double stood_for = 0;
  for (const double weight : sample.documents().weights) {
    EXPECT_GT(weight, 0);
    stood_for += weight;
  }
  EXPECT_NEAR(stood_for, 2 * 600, 1e-9);
}

TEST(DocumentSample, is_the_same_every_time_and_another_in_every_part) {
  const LongQuery query = graded(10'000, 100);
  const DocumentSample first(query.documents(), some(300), 0);
  const DocumentSample again(query.documents(), some(300), 0);
  const DocumentSample other(query.documents(), some(300, 1), 0);
  EXPECT_TRUE(std::ranges::equal(first.numbers(), again.numbers()));
  EXPECT_FALSE(std::ranges::equal(first.numbers(), other.numbers()));
}

TEST(SampledRows, are_those_of_the_numbers) {
  std::vector<float> rows(12);
  std::iota(rows.begin(), rows.end(), 0.0F);
  const std::vector<std::uint32_t> numbers{0, 2, 3};
  const std::vector<double> vector{1, -1, 2};
  const std::vector<double> factors{1, 10, 100};
  std::vector<double> products(3);
  std::vector<double> sum(3);
  const SampledRows some_rows(rows.data(), 3, numbers);
  some_rows.products(vector, products);
  some_rows.add_weighted(factors, sum);
  EXPECT_EQ(products, (std::vector<double>{3, 15, 21}));
  EXPECT_EQ(sum, (std::vector<double>{960, 1071, 1182}));
  std::vector<double> all_products(4);
  const SampledRows all(rows.data(), 3);
  all.products(vector, all_products);
  EXPECT_EQ(all_products, (std::vector<double>{3, 9, 15, 21}));
}

}  // namespace
}  // namespace rankine
