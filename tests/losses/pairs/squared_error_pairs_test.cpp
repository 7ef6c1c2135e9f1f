#include "losses/pairs/squared_error_pairs.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/pair_laplacian.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

template <class Check>
void for_each_case(const Check& check) {
  std::mt19937_64 random(8);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t size = 1 + random() % 15;
    const auto query = oracles::random_query(random, size, repeat % 4, repeat % 2 == 0);
    QueryDocuments documents = query.documents();
    std::vector<ListedPair> pairs;
    if (repeat % 3 == 0 && size > 1) {
      for (int k = 0; k < 20; ++k) {
        const auto winner = static_cast<std::uint32_t>(random() % size);
        const auto loser = static_cast<std::uint32_t>((winner + 1 + random() % (size - 1)) % size);
        pairs.push_back({winner, loser, 0.5 * static_cast<double>(random() % 3),
                         static_cast<double>(random() % 3)});
      }
    }
    documents.pairs = pairs;
    for (const PairGraph graph : {PairGraph::none, PairGraph::all, PairGraph::different_grades}) {
      check(documents, query, graph);
    }
  }
}

TEST(SquaredErrorPairs, sum_the_errors_of_all_pairs) {
  for_each_case([](const QueryDocuments& documents, const auto& query, PairGraph graph) {
    std::vector<double> gradient(documents.size());
    const double value = SquaredErrorPairs(graph).gradient(documents, {query.scores, {}}, gradient);
    const double expected = oracles::squared_errors(documents, graph, query.scores);
    EXPECT_NEAR(value, expected, 1e-12 * (1 + expected));
  });
}

TEST(SquaredErrorPairs, have_the_laplacian_as_half_their_hessian) {
  for_each_case([](const QueryDocuments& documents, const auto& query, PairGraph graph) {
    const std::size_t size = documents.size();
    const auto laplacian = oracles::pair_laplacian(documents, graph);
    std::vector<double> image(size);
    SquaredErrorPairs(graph).hessian_times(documents, {query.scores, {}}, query.scores, image);
    for (std::size_t i = 0; i < size; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < size; ++j) {
        expected += 2 * laplacian[i * size + j] * query.scores[j];
      }
      EXPECT_NEAR(image[i], expected, 1e-11);
    }
  });
}

TEST(SquaredErrorPairs, have_a_gradient_that_is_linear_between_points) {
  for_each_case([](const QueryDocuments& documents, const auto& query, PairGraph graph) {
    const SquaredErrorPairs loss(graph);
    const std::size_t size = documents.size();
    const std::vector<double> zero(size);
    std::vector<double> here(size);
    std::vector<double> there(size);
    std::vector<double> image(size);
    const double at_zero = loss.gradient(documents, {zero, {}}, here);
    const double at_scores = loss.gradient(documents, {query.scores, {}}, there);
    loss.hessian_times(documents, {zero, {}}, query.scores, image);
    double change = 0;
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(there[i], here[i] + image[i], 1e-11);
      change += query.scores[i] * (here[i] + 0.5 * image[i]);
    }
    EXPECT_NEAR(at_scores, at_zero + change, 1e-10);
  });
}

}  // namespace
}  // namespace rankine
