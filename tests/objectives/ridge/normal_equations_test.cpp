#include "objectives/ridge/normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/folds.hpp>

#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"
#include "oracles/thread_collective.hpp"

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

std::vector<double> numbers_of(const GramSums& sums) {
  std::vector<double> numbers(sums.gram);
  numbers.insert(numbers.end(), sums.slope.begin(), sums.slope.end());
  numbers.push_back(sums.squares);
  return numbers;
}

TEST(NormalEquations, have_the_same_bits_for_any_number_of_processes_narrow_and_wide) {
  std::mt19937_64 random(4);
  for (const bool wide : {false, true}) {
    const Dataset data = oracles::random_dataset(
        random, {.queries = wide ? 700 : 2400, .features = wide ? kWideGram : 9});
    const auto sums_of = [](const Dataset& shard, int threads, Collective& collective) {
      const QueryTable table(shard, Normalisation::total, 1, PairGraph::all, collective);
      const RankingRows rows(FeatureRows(shard.features), table, PairGraph::all, {});
      return numbers_of(normal_equations(rows, threads));
    };
    const auto whole = sums_of(data, 1, one_process());
    for (const std::size_t size : {2U, 3U, 4U, 7U}) {
      if (wide && size > 2) continue;  // takes long, and has no more than a few leaves
      const auto ends = oracles::uneven_ends(static_cast<std::size_t>(data.num_queries()), size, 1);
      oracles::as_processes(size, [&](Collective& collective) {
        const Dataset shard = oracles::shard_of(data, ends, 1 << 24, collective);
        for (const int threads : {1, 3}) EXPECT_EQ(sums_of(shard, threads, collective), whole);
      });
    }
  }
}

TEST(StreamedEquations, have_the_same_bits_however_the_stream_is_cut_into_blocks) {
  std::mt19937_64 random(5);
  for (const bool wide : {false, true}) {
    const std::int64_t width = wide ? kWideGram : 5;
    const Dataset data =
        oracles::random_dataset(random, {.queries = wide ? 200 : 900, .features = width});
    const auto streamed = [&](std::int64_t queries_each, int threads) {
      StreamedEquations equations(width);
      for (std::int64_t first = 0; first < data.num_queries(); first += queries_each) {
        std::vector<std::int64_t> chosen;
        for (auto q = first; q < std::min(first + queries_each, data.num_queries()); ++q) {
          chosen.push_back(q);
        }
        const Dataset block = select_queries(data, chosen);
        const QueryTable table(block, Normalisation::query, 1, PairGraph::all);
        equations.add(RankingRows(FeatureRows(block.features), table, PairGraph::all, {}),
                      block.num_documents(), threads);
      }
      return numbers_of(equations.finish());
    };
    const auto whole = streamed(data.num_queries(), 1);
    for (const std::int64_t each : {7, 150}) EXPECT_EQ(streamed(each, 3), whole);
    const QueryTable table(data, Normalisation::query, 1, PairGraph::all);
    const RankingRows rows(FeatureRows(data.features), table, PairGraph::all, {});
    const auto at_once = numbers_of(normal_equations(rows, 1));
    for (std::size_t k = 0; k < whole.size(); ++k) {
      ASSERT_NEAR(whole[k], at_once[k], 1e-9 * (1 + std::abs(at_once[k])));
    }
  }
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
