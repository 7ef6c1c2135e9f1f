#include "objectives/ridge/kernel_equations.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(KernelEquations, of_the_linear_kernel_are_products_of_transformed_rows) {
  std::mt19937_64 random(1);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 6, .most_documents = 8, .weighted = true});
  const ColumnScale columns(std::vector<double>{1, 2, 3, 1, 0.5, 1, 2});
  for (const PairGraph graph : {PairGraph::none, PairGraph::all, PairGraph::different_grades}) {
    const QueryTable table(data, Normalisation::none, 1, graph);
    const RankingRows rows(FeatureRows(data.features), table, graph, columns);
    const auto kernel = linear_kernel(rows, data.num_documents(), 2);
    const auto system = kernel_equations(kernel, data.num_documents(), table, graph, 2);
    std::vector<double> all;
    std::vector<double> targets;
    RankingRows::Block block;
    for (std::size_t q = 0; q < rows.num_queries(); ++q) {
      rows.make(q, block);
      all.insert(all.end(), block.rows.data(), block.rows.data() + block.targets.size() * 7);
      targets.insert(targets.end(), block.targets.begin(), block.targets.end());
    }
    ASSERT_EQ(system.targets, targets);
    const std::size_t m = targets.size();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        double product = 0;
        for (std::size_t f = 0; f < 7; ++f) product += all[i * 7 + f] * all[j * 7 + f];
        EXPECT_NEAR(system.transformed[i * m + j], product, 1e-9);
      }
    }
    const auto a = document_coefficients(targets, system, table, graph);
    const auto weights = linear_weights(rows, a);
    for (std::size_t f = 0; f < 7; ++f) {
      double expected = 0;
      for (std::size_t i = 0; i < m; ++i) expected += all[i * 7 + f] * targets[i];
      EXPECT_NEAR(weights[f], expected, 1e-9);
    }
  }
}

std::string refusal(const std::vector<double>& kernel, std::int64_t size) {
  try {
    check_kernel(kernel, size, "k.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckKernel, takes_what_is_positive_semidefinite_as_far_as_single_precision_tells) {
  EXPECT_EQ(refusal({1, 1, 1, 1}, 2), "");
  EXPECT_EQ(refusal({1, 1.0000001, 1, 1}, 2), "");
  EXPECT_EQ(refusal({0, 0, 0, 0}, 2), "");
}

TEST(CheckKernel, names_what_is_wrong) {
  EXPECT_EQ(refusal({1, 0.5, 0.25, 1}, 2),
            "k.txt: the kernel is not symmetric: entry (2, 1) is 0.25, entry (1, 2) is 0.5");
  EXPECT_EQ(refusal({1, 2, 2, 1}, 2).substr(0, 46),
            "k.txt: the kernel is not positive semidefinite");
}

}  // namespace
}  // namespace rankine
