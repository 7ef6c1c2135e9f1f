#include "problem/training_cache.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/random_dataset.hpp"
#include "training/train.hpp"

namespace rankine {
namespace {

Dataset some_data(bool sparse) {
  std::mt19937_64 random(31);
  const Dataset data = oracles::random_dataset(random, {.queries = 7, .features = 70});
  return sparse ? oracles::as_sparse(data) : data;
}

TrainOptions kernel_options(Kernel kernel, Approximation approximation) {
  TrainOptions options;
  options.map.kernel = kernel;
  options.map.approximation = approximation;
  options.map.n_components = 40;
  return options;
}

TEST(TrainingCache, leaves_every_bit_of_the_models_of_a_path_as_it_is) {
  const std::vector<double> values{0.01, 1};
  for (const bool sparse : {false, true}) {
    const Dataset data = some_data(sparse);
    const auto budget = std::make_shared<MemoryBudget>(1e9);
    TrainingCache kept(budget, 15);
    for (const Approximation approximation : {Approximation::nystroem, Approximation::none}) {
      for (const Kernel kernel : {Kernel::rbf, Kernel::laplacian, Kernel::polynomial}) {
        TrainOptions options = kernel_options(kernel, approximation);
        for (const double gamma : {0.01, 0.001}) {
          for (const Scaling scaling : {Scaling::standard, Scaling::minmax}) {
            for (const char* features : {"", "1-66"}) {
              options.map.gamma = gamma;
              options.scaling = scaling;
              options.features = features;
              const auto shared = train_path(data, options, values, {}, &kept);
              const auto alone = train_path(data, options, values);
              ASSERT_EQ(shared.size(), 2U);
              for (std::size_t k = 0; k < 2; ++k) {
                EXPECT_EQ(shared[k].model.function, alone[k].model.function);
                EXPECT_EQ(shared[k].model.scaling, alone[k].model.scaling);
                EXPECT_EQ(shared[k].model.columns, alone[k].model.columns);
                EXPECT_EQ(shared[k].report.constant_columns, alone[k].report.constant_columns);
              }
            }
          }
        }
      }
    }
    EXPECT_LT(budget->left(), 1e9);
  }
}

TEST(TrainingCache, serves_every_method) {
  const Dataset data = some_data(false);
  TrainingCache kept(std::make_shared<MemoryBudget>(1e9), 15);
  for (const MethodOptions& method : {MethodOptions(SvmOptions{}), MethodOptions(RlsOptions{}),
                                      MethodOptions(StochasticOptions{})}) {
    for (const Approximation approximation : {Approximation::nystroem, Approximation::none}) {
      if (method.is<StochasticOptions>() && approximation == Approximation::none) {
        continue;
      }
      TrainOptions options = kernel_options(Kernel::rbf, approximation);
      options.method = method;
      for (const double gamma : {0.01, 0.001}) {
        options.map.gamma = gamma;
        EXPECT_EQ(train(data, options, {}, &kept).model.function,
                  train(data, options).model.function);
      }
    }
  }
}

TEST(TrainingCache, is_for_kernels_that_are_computed_from_features) {
  EXPECT_TRUE(shares_rows(kernel_options(Kernel::rbf, Approximation::nystroem)));
  EXPECT_TRUE(shares_rows(kernel_options(Kernel::rbf, Approximation::none)));
  EXPECT_FALSE(shares_rows(kernel_options(Kernel::rbf, Approximation::fourier)));
  EXPECT_FALSE(shares_rows(kernel_options(Kernel::precomputed, Approximation::nystroem)));
  EXPECT_FALSE(shares_rows({}));
}

TEST(SpareMemory, is_what_mapped_rows_and_their_systems_leave) {
  const Dataset data = some_data(false);
  const auto documents = static_cast<double>(data.num_documents());
  TrainOptions options = kernel_options(Kernel::rbf, Approximation::nystroem);
  options.memory_limit = 0.1;
  const double each = 4 * documents * 40 + 40 * 40 * 40;
  EXPECT_DOUBLE_EQ(spare_memory(data, options, 1), 1e8 - each);
  EXPECT_DOUBLE_EQ(spare_memory(data, options, 3), 1e8 - 3 * each);
  options.memory_limit = 1e-6;
  EXPECT_LT(spare_memory(data, options, 1), 0);
  options.memory_limit = 0.1;
  options.map.approximation = Approximation::none;
  EXPECT_LT(spare_memory(data, options, 1), 1e8 - 4 * documents * documents / 2);
  options.method = RlsOptions{};
  EXPECT_LT(spare_memory(data, options, 1), 1e8 - 40 * documents * documents);
}

}  // namespace
}  // namespace rankine
