#include "problem/prepared_data.hpp"

#include <cstdint>
#include <random>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

/// Ten features, of which the third to the ninth are constant.
Dataset mostly_constant() {
  std::mt19937_64 random(8);
  Dataset data = oracles::random_dataset(random, {.queries = 12, .features = 10});
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<float> values(dense.values.begin(), dense.values.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k % 10 >= 2 && k % 10 < 9) values[k] = 4;
  }
  data.features = DenseMatrix{dense.num_rows, 10, values};
  return data;
}

TEST(FourierOfConstantColumns, has_frequencies_for_the_others_alone) {
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  options.map.approximation = Approximation::fourier;
  options.map.n_components = 5;
  const Dataset data = mostly_constant();
  const TrainResult result = train(data, options);
  EXPECT_EQ(result.model.function.as<RandomFunction>().frequencies.num_columns, 3);
  EXPECT_EQ(result.model.columns, (std::vector<std::int64_t>{0, 1, 9}));
  EXPECT_EQ(result.report.constant_columns, (std::vector<std::int64_t>{2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(Model::from_bytes(result.model.bytes(), "m").score(data), result.model.score(data));
}

TEST(RandomFrequencies, are_refused_where_the_memory_limit_does_not_hold_them) {
  TrainOptions options{.memory_limit = 1e-4};  // 100 kB
  options.map.approximation = Approximation::relu;
  options.map.n_components = 49;
  EXPECT_NO_THROW(train(mostly_constant(), options));
  std::mt19937_64 random(8);
  try {
    train(oracles::random_dataset(random, {.queries = 12, .features = 300}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "n_components = 49 of 300 features need about 0.2 MB and there are 0.1 MB: at "
                 "most 20 would fit");
  }
}

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
