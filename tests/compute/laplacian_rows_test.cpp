#include "compute/laplacian_rows.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/pair_laplacian.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

constexpr double kFactor = 0.7;

struct Case {
  oracles::RandomQuery query;
  std::vector<ListedPair> pairs;
  PairGraph graph;

  QueryDocuments documents() const {
    QueryDocuments documents = query.documents();
    documents.pairs = pairs;
    return documents;
  }
};

/// All graphs, with and without weights, few and many listed pairs, one document, one grade.
std::vector<Case> cases() {
  std::vector<Case> all;
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t size = repeat < 6 ? 1 : 2 + random() % 20;
    Case each{oracles::random_query(random, size, repeat % 5, repeat % 2 == 0), {}, PairGraph::all};
    for (const PairGraph graph : {PairGraph::none, PairGraph::all, PairGraph::different_grades}) {
      each.graph = graph;
      all.push_back(each);
    }
    if (size == 1) continue;
    const std::size_t num_pairs = 1 + random() % (repeat % 3 == 0 ? size : 4 * size);
    for (std::size_t k = 0; k < num_pairs; ++k) {
      const auto winner = static_cast<std::uint32_t>(random() % size);
      const auto loser = static_cast<std::uint32_t>((winner + 1 + random() % (size - 1)) % size);
      each.pairs.push_back({winner, loser, static_cast<double>(random() % 3),
                            0.5 * static_cast<double>(random() % 5)});
    }
    all.push_back(each);
  }
  return all;
}

TEST(LaplacianRows, are_a_root_of_the_laplacian) {
  for (const Case& each : cases()) {
    const std::size_t size = each.query.grades.size();
    std::vector<double> identity(size * size);
    for (std::size_t k = 0; k < size; ++k) identity[k * size + k] = 1;
    LaplacianRows rows;
    rows.assign(each.documents(), each.graph, kFactor);
    std::vector<double> root(rows.num_rows() * size);
    rows.apply(identity.data(), size, root.data());
    const auto expected = oracles::pair_laplacian(each.documents(), each.graph);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double product = 0;
        for (std::size_t k = 0; k < rows.num_rows(); ++k) {
          product += root[k * size + i] * root[k * size + j];
        }
        EXPECT_NEAR(product, kFactor * expected[i * size + j], 1e-12 * static_cast<double>(size));
      }
    }
  }
}

TEST(LaplacianRows, have_the_errors_of_all_pairs_as_their_squares) {
  for (const Case& each : cases()) {
    LaplacianRows rows;
    rows.assign(each.documents(), each.graph, kFactor);
    std::vector<double> targets(rows.num_rows());
    std::vector<double> scores(rows.num_rows());
    rows.targets(targets);
    rows.apply(each.query.scores.data(), 1, scores.data());
    double sum = rows.unexplained();
    for (std::size_t k = 0; k < targets.size(); ++k) {
      sum += (targets[k] - scores[k]) * (targets[k] - scores[k]);
    }
    const double expected =
        kFactor * oracles::squared_errors(each.documents(), each.graph, each.query.scores);
    EXPECT_NEAR(sum, expected, 1e-11 * (1 + expected));
  }
}

TEST(LaplacianRows, apply_transposed_is_the_transpose_of_apply) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  constexpr std::size_t kWidth = 3;
  for (const Case& each : cases()) {
    const std::size_t size = each.query.grades.size();
    LaplacianRows rows;
    rows.assign(each.documents(), each.graph, kFactor);
    std::vector<double> left(size * kWidth);
    std::vector<double> right(rows.num_rows() * kWidth);
    for (double& value : left) value = normal(random);
    for (double& value : right) value = normal(random);
    std::vector<double> image(right.size());
    std::vector<double> back(left.size());
    rows.apply(left.data(), kWidth, image.data());
    rows.apply_transposed(right.data(), kWidth, back.data());
    for (std::size_t f = 0; f < kWidth; ++f) {
      double one = 0;
      double other = 0;
      for (std::size_t k = 0; k < rows.num_rows(); ++k) {
        one += image[k * kWidth + f] * right[k * kWidth + f];
      }
      for (std::size_t k = 0; k < size; ++k) other += left[k * kWidth + f] * back[k * kWidth + f];
      EXPECT_NEAR(one, other, 1e-11 * static_cast<double>(size));
    }
  }
}

TEST(LaplacianRows, of_float_features_far_from_zero_keep_their_digits) {
  std::mt19937_64 random(5);
  const auto query = oracles::random_query(random, 12, 3, true);
  std::vector<float> near(12);
  std::vector<float> far(12);
  for (std::size_t k = 0; k < 12; ++k) {
    near[k] = static_cast<float>(random() % 64) / 64;
    far[k] = near[k] + 65536;
  }
  for (const PairGraph graph : {PairGraph::all, PairGraph::different_grades}) {
    LaplacianRows rows;
    rows.assign(query.documents(), graph, 1);
    std::vector<double> one(12);
    std::vector<double> other(12);
    std::vector<float> in_float(12);
    rows.apply(near.data(), 1, one.data());
    rows.apply(far.data(), 1, other.data());
    rows.apply(far.data(), 1, in_float.data());
    for (std::size_t k = 0; k < 12; ++k) {
      EXPECT_NEAR(one[k], other[k], 1e-9);
      EXPECT_NEAR(one[k], static_cast<double>(in_float[k]), 1e-5);
    }
  }
}

}  // namespace
}  // namespace rankine
