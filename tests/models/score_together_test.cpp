#include "models/score_together.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

std::vector<const Model*> pointers(const std::vector<Model>& models) {
  std::vector<const Model*> all;
  for (const Model& model : models) all.push_back(&model);
  return all;
}

void add_path(const Dataset& data, const TrainOptions& options, std::vector<Model>& models) {
  for (TrainResult& result : train_path(data, options, std::vector<double>{0.01, 0.1, 1})) {
    models.push_back(std::move(result.model));
  }
}

TEST(ScoreTogether, gives_every_model_the_bits_of_its_own_scores) {
  std::mt19937_64 random(3);
  const Dataset dense = oracles::random_dataset(random, {.queries = 8, .features = 8});
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    std::vector<Model> models;
    for (const Scaling scaling : {Scaling::none, Scaling::standard, Scaling::quantile}) {
      for (const char* features : {"", "2-6"}) {
        TrainOptions options;
        options.scaling = scaling;
        options.features = features;
        add_path(data, options, models);
        options.map.kernel = Kernel::rbf;
        add_path(data, options, models);
        for (const double gamma : {0.1, 0.01}) {
          options.map.gamma = gamma;
          options.map.n_components = 25;
          options.map.approximation = Approximation::nystroem;
          add_path(data, options, models);
          options.map.approximation = Approximation::fourier;
          add_path(data, options, models);
        }
      }
    }
    for (const int threads : {1, 2}) {
      const auto together = score_together(pointers(models), data, threads);
      ASSERT_EQ(together.size(), models.size());
      for (std::size_t k = 0; k < models.size(); ++k) {
        EXPECT_EQ(together[k], models[k].score(data, 1)) << k;
      }
    }
  }
}

TEST(ScoreTogether, takes_rows_that_are_kept) {
  std::mt19937_64 random(4);
  const Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 70});
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  options.map.approximation = Approximation::nystroem;
  options.map.n_components = 40;
  std::vector<Model> models;
  for (const double gamma : {0.001, 0.01}) {
    options.map.gamma = gamma;
    add_path(data, options, models);
  }
  const auto budget = std::make_shared<MemoryBudget>(1e9);
  KernelProductCache kept(scaled_rows(models[0], data, 1), budget, 15, 1);
  const auto together = score_together(pointers(models), data, 2, &kept);
  EXPECT_LT(budget->left(), 1e9);
  for (std::size_t k = 0; k < models.size(); ++k) EXPECT_EQ(together[k], models[k].score(data));
}

TEST(ScoreTogether, names_a_feature_that_the_data_lacks) {
  std::mt19937_64 random(5);
  const Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 5});
  TrainOptions options;
  options.features = "2,5";
  const Model model = train(data, options).model;
  Dataset narrow = oracles::random_dataset(random, {.queries = 3, .features = 4});
  narrow.source = "narrow.txt";
  try {
    score_together(std::vector<const Model*>{&model}, narrow, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "narrow.txt: the model uses feature 5 and the data has 4");
  }
}

}  // namespace
}  // namespace rankine
