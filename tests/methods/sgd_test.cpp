#include "methods/sgd.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

std::string refusal(const TrainOptions& options) {
  std::mt19937_64 random(3);
  try {
    train(oracles::random_dataset(random, {}), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(SgdMethod, refuses_exact_kernels_and_sampled_pairs_of_the_squared_loss) {
  TrainOptions options{.method = StochasticOptions{}};
  EXPECT_EQ(refusal(options), "none");
  options.map.kernel = Kernel::rbf;
  EXPECT_EQ(refusal(options),
            "method = 'sgd' needs features, and an exact kernel has none: choose an approximation");
  options.map = {};
  auto& sgd = options.method.as<StochasticOptions>();
  sgd.sgd.sampling = Sampling::pair;
  EXPECT_EQ(refusal(options), "none");
  sgd.pair_loss.loss = Loss::squared;
  EXPECT_EQ(refusal(options), "sampling = 'pair': not for loss = 'squared'; take query");
}

TEST(SgdMethod, needs_mapped_rows_in_memory) {
  TrainOptions options{.method = StochasticOptions{}};
  options.map.kernel = Kernel::rbf;
  options.map.approximation = Approximation::fourier;
  options.map.n_components = 6;
  options.memory_limit = 2e-6;  // enough for the systems, not for the rows
  EXPECT_NE(refusal(options).find("needs its mapped features in memory"), std::string::npos);
}

TEST(SgdMethod, says_that_its_steps_are_done) {
  std::mt19937_64 random(3);
  const Dataset data = oracles::random_dataset(random, {});
  EXPECT_EQ(train(data, {.method = StochasticOptions{}}).report.termination,
            Termination::completed);
}

}  // namespace
}  // namespace rankine
