#include "problem/prepared_data.hpp"

#include <random>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(31);
  return oracles::random_dataset(random, {.queries = 10, .features = 6});
}

TEST(PreparedData, shares_the_features_where_a_scaling_folds_and_copies_them_where_not) {
  const Dataset data = some_data();
  const float* original = std::get<DenseMatrix>(data.features).values.data();
  TrainReport report;
  const PreparedData folded(data, {}, true, report);
  EXPECT_EQ(std::get<DenseMatrix>(folded.seen().features).values.data(), original);
  const PreparedData copied(data, {}, false, report);
  EXPECT_NE(std::get<DenseMatrix>(copied.seen().features).values.data(), original);
}

TEST(PreparedData, maps_features_and_folds_weights_back) {
  const Dataset data = some_data();
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  options.map.approximation = Approximation::nystroem;
  options.map.n_components = 15;
  options.features = "1-4";
  TrainReport report;
  const PreparedData prepared(data, options, true, report);
  EXPECT_EQ(prepared.rows().num_columns(), report.map.rank);
  EXPECT_GT(report.map.gamma, 0);
  EXPECT_EQ(prepared.selected().size(), 4U);
  const auto function =
      prepared.function(std::vector<double>(static_cast<std::size_t>(report.map.rank), 1.0));
  EXPECT_EQ(std::get<DenseMatrix>(function.as<KernelFunction>().landmarks).num_columns, 4);
}

TEST(PreparedData, refuses_a_selection_of_kernel_columns) {
  TrainOptions options;
  options.map.kernel = Kernel::precomputed;
  options.features = "1-3";
  TrainReport report;
  const Dataset data = some_data();
  EXPECT_THROW(PreparedData(data, options, true, report), Error);
}

}  // namespace
}  // namespace rankine
