#include "methods/rls_solvers.hpp"

#include <random>

#include <gtest/gtest.h>

#include "compute/registry.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(RlsSolvers, cost_by_features_grows_with_columns_and_by_documents_with_rows) {
  std::mt19937_64 random(2);
  const Dataset narrow = oracles::random_dataset(random, {.queries = 40, .features = 3});
  const Dataset wide =
      oracles::random_dataset(random, {.queries = 2, .most_documents = 6, .features = 60});
  const RlsOptions options;
  const auto costs = [&](const Dataset& data) {
    const QueryTable table(data, Normalisation::none, 1, PairGraph::all);
    return rls_costs({FeatureRows(data.features),
                      table,
                      {},
                      data,
                      options,
                      options.alpha.values(),
                      default_backend()});
  };
  EXPECT_LT(costs(narrow).primal, costs(narrow).dual);
  EXPECT_LT(costs(wide).dual, costs(wide).primal);
}

TEST(RlsSolvers, look_at_the_pairs_that_the_options_name) {
  EXPECT_EQ(pair_graph({}), PairGraph::all);
  EXPECT_EQ(pair_graph({.ties = TiedPairs::exclude}), PairGraph::different_grades);
  EXPECT_EQ(pair_graph({.pairs = Pairs::none}), PairGraph::none);
}

}  // namespace
}  // namespace rankine
