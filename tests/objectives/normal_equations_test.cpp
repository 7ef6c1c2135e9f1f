#include "objectives/normal_equations.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(NormalEquations, are_those_of_the_laplacian) {
  std::mt19937_64 random(1);
  for (const bool weighted : {false, true}) {
    const Dataset data = oracles::random_dataset(random, {.queries = 10, .weighted = weighted});
    const std::vector<double> factors{1, 2, 0.5, 3, 0, 1, 1};
    for (const PairGraph graph : {PairGraph::none, PairGraph::all, PairGraph::different_grades}) {
      const QueryTable table(data, Normalisation::query, 1, graph);
      const RankingRows rows(FeatureRows(data.features), table, graph, ColumnScale(factors));
      const GramSums sums = normal_equations(rows, 1);
      const oracles::DenseRls oracle(data, table, graph, factors);
      for (std::size_t f = 0; f < 7; ++f) {
        double slope = 0;
        for (std::size_t i = 0; i < oracle.documents; ++i) {
          slope += oracle.features[i * 7 + f] * oracle.slope[i];
        }
        EXPECT_NEAR(sums.slope[f], slope, 1e-10);
        for (std::size_t g = 0; g <= f; ++g) {
          double entry = 0;
          for (std::size_t i = 0; i < oracle.documents; ++i) {
            for (std::size_t j = 0; j < oracle.documents; ++j) {
              entry += oracle.features[i * 7 + f] * oracle.laplacian[i * oracle.documents + j] *
                       oracle.features[j * 7 + g];
            }
          }
          EXPECT_NEAR(sums.gram[f * 7 + g], entry, 1e-10);
        }
      }
    }
  }
}

TEST(NormalEquations, have_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(2);
  const Dataset data = oracles::random_dataset(random, {.queries = 900});
  const QueryTable table(data, Normalisation::none, 1, PairGraph::all);
  const RankingRows rows(FeatureRows(data.features), table, PairGraph::all, {});
  const GramSums one = normal_equations(rows, 1);
  const GramSums four = normal_equations(rows, 4);
  EXPECT_EQ(one.gram, four.gram);
  EXPECT_EQ(one.slope, four.slope);
  EXPECT_EQ(one.squares, four.squares);
}

TEST(RankingRows, count_their_rows) {
  std::mt19937_64 random(3);
  Dataset data = oracles::random_dataset(random, {.queries = 12, .most_documents = 6});
  const QueryTable table(data, Normalisation::none, 1, PairGraph::none);
  EXPECT_EQ(RankingRows(FeatureRows(data.features), table, PairGraph::none, {}).num_rows(),
            data.num_documents());
  oracles::add_preferences(random, data, 2);
  const QueryTable listed(data, Normalisation::none, 1, PairGraph::all);
  const RankingRows rows(FeatureRows(data.features), listed, PairGraph::all, {});
  std::int64_t count = 0;
  for (std::size_t q = 0; q < rows.num_queries(); ++q) {
    RankingRows::Block block;
    rows.make(q, block);
    count += static_cast<std::int64_t>(block.targets.size());
  }
  EXPECT_EQ(rows.num_rows(), count);
}

}  // namespace
}  // namespace rankine
