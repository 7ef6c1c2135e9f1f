#include "tuning/setting_trainer.hpp"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

class SettingTrainerTest : public testing::Test {
 protected:
  SettingTrainerTest() : trainer_(grid_, rules_, queue_) { data_.source = "train.txt"; }

  std::string message_of_fit() const {
    try {
      trainer_.fit(data_, grid_.groups()[0][0], 1);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Dataset data_ = [] {
    std::mt19937_64 random(3);
    return oracles::random_dataset(random, {.queries = 30, .features = 4});
  }();
  SettingGrid grid_{TrainOptions{}, {{"C", {"2", "1"}}}};
  MeasureRules rules_;
  bool go_on_ = true;
  Progress progress_ = [this](const ProgressEvent&) { return go_on_; };
  TrainingQueue queue_{1, progress_, "stopped"};
  SettingTrainer trainer_;
};

TEST_F(SettingTrainerTest, fits_a_batch_as_a_path_and_one_setting_as_train_does) {
  const auto results = trainer_.fit(data_, grid_.groups()[0][0], 1);
  const auto path = train_path(data_, {}, std::vector<double>{1, 2});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].model.function, path[0].model.function);
  EXPECT_EQ(results[1].model.function, path[1].model.function);
  EXPECT_EQ(trainer_.fit(data_, 0, 1).function, train(data_, grid_.options(0)).model.function);
}

TEST_F(SettingTrainerTest, measures_as_evaluate_does) {
  const Model model = trainer_.fit(data_, 0, 1);
  const auto measures = parse_measures("map,ndcg@3");
  const auto expected = evaluate(data_, model.score(data_), measures, rules_);
  EXPECT_EQ(trainer_.measure(model, data_, measures, 1),
            (std::vector<double>{expected.means[0].mean, expected.means[1].mean}));
}

TEST_F(SettingTrainerTest, measures_a_batch_as_its_models_one_by_one) {
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  options.map.approximation = Approximation::nystroem;
  options.map.n_components = 20;
  const SettingGrid grid(options, {{"C", {"0.1", "1", "2"}}, {"gamma", {"0.1", "0.01"}}});
  const SettingTrainer kernels(grid, rules_, queue_);
  const auto measure = parse_measures("ndcg@3");
  TrainingCache kept(std::make_shared<MemoryBudget>(1e9), 15);
  for (TrainingCache* keep : {static_cast<TrainingCache*>(nullptr), &kept}) {
    for (const auto& group : grid.groups()) {
      const auto results = kernels.fit(data_, group[0], 1, keep);
      const auto values = kernels.measure(results, group[0], data_, measure[0], 1, keep);
      ASSERT_EQ(values.size(), 3U);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(values[k], kernels.measure(results[k].model, data_, measure, 1)[0]);
      }
    }
  }
}

TEST_F(SettingTrainerTest, throws_a_training_away_that_was_stopped) {
  go_on_ = false;
  EXPECT_EQ(message_of_fit(), "stopped");
}

TEST_F(SettingTrainerTest, names_the_setting_when_training_fails) {
  data_.grades = std::vector<double>(data_.grades.size(), 1.0);
  EXPECT_NE(message_of_fit().find("nothing to learn from"), std::string::npos);
  EXPECT_NE(message_of_fit().find("(setting C = 1)"), std::string::npos);
}

TEST_F(SettingTrainerTest, a_training_is_as_large_as_what_it_maps_documents_to) {
  const auto documents = static_cast<double>(data_.num_documents());
  EXPECT_EQ(trainer_.size(data_, 0), documents * 4);
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  const SettingGrid grid(options, {{"approximation", {"none", "nystroem"}}});
  const SettingTrainer kernels(grid, rules_, queue_);
  EXPECT_EQ(kernels.size(data_, 0), documents * documents);
  EXPECT_EQ(kernels.size(data_, 1), documents * 1000);
}

}  // namespace
}  // namespace rankine
