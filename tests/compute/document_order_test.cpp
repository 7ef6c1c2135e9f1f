#include "compute/document_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/grade_margin_pairs.hpp"
#include "losses/pairs/hinge_pairs.hpp"

namespace rankine {
namespace {

TEST(OrderDocuments, sorts_by_score_and_then_by_document) {
  const std::vector<double> grades{0, 0, 3, 0};
  const std::vector<double> scores{2, -1, 2, 0};
  const std::vector<std::uint32_t> ranks{0, 0, 1, 0};
  const QueryDocuments query{grades, ranks, 2, {}};
  std::vector<std::uint32_t> order(4);
  order_documents(HingePairs(), query, scores, order);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 0, 2}));
  order_documents(GradeMarginPairs(std::make_unique<HingePairs>(0.0)), query, scores, order);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

void expect_stable_order(const std::vector<double>& scores) {
  const std::size_t size = scores.size();
  const std::vector<double> grades(size);
  const std::vector<std::uint32_t> ranks(size);
  std::vector<std::uint32_t> expected(size);
  std::iota(expected.begin(), expected.end(), 0U);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] < scores[b]; });
  std::vector<std::uint32_t> order(size);
  order_documents(HingePairs(), {grades, ranks, 1, {}}, scores, order);
  EXPECT_EQ(order, expected);
}

TEST(OrderDocuments, of_a_list_of_any_length_is_that_of_a_stable_sort) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const std::size_t size : {1U, 2U, 40U, 320U, 321U, 4095U, 4096U, 50000U, 600000U}) {
    for (const double spread : {1e-310, 1.0, 1e300}) {
      std::vector<double> scores(size);
      for (double& score : scores) {
        // Many ties, zeros of both signs, and numbers of every size.
        const auto kind = random() % 4;
        score = kind == 0 ? 0.0 : kind == 1 ? -0.0 : spread * normal(random);
        if (kind == 2) score = static_cast<double>(random() % 50) - 25;
      }
      expect_stable_order(scores);
    }
  }
}

TEST(OrderDocuments, is_right_where_some_scores_are_far_from_all_others) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> scores(60000);
  for (double& score : scores) score = normal(random);
  expect_stable_order(scores);
  // Each leaves few cells to all before it.
  for (const double far : {1e12, -1e24, 1e40, 1e80, -1e160, 1e300, infinity, -infinity}) {
    for (int k = 0; k < 5; ++k) scores[random() % scores.size()] = far * (1 + 1e-3 * k);
    expect_stable_order(scores);
  }
  std::vector<double> clusters(60000);
  for (double& score : clusters) {
    score = static_cast<double>(random() % 3) + 1e-13 * static_cast<double>(random() % 7);
  }
  expect_stable_order(clusters);
  expect_stable_order(std::vector<double>(5000, 0.1));
}

TEST(OrderDocuments, has_every_document_once_though_scores_are_no_numbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t size : {5U, 400U, 5000U}) {
    std::vector<double> scores(size);
    for (std::size_t doc = 0; doc < size; ++doc) {
      scores[doc] = doc % 3 == 0 ? nan : doc % 3 == 1 ? -nan : static_cast<double>(doc % 7);
    }
    const std::vector<double> grades(size);
    const std::vector<std::uint32_t> ranks(size);
    std::vector<std::uint32_t> order(size);
    order_documents(HingePairs(), {grades, ranks, 1, {}}, scores, order);
    std::sort(order.begin(), order.end());
    for (std::size_t doc = 0; doc < size; ++doc) EXPECT_EQ(order[doc], doc);
  }
}

}  // namespace
}  // namespace rankine
