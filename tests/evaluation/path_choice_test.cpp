#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/select.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

class PathChoiceTest : public testing::Test {
 protected:
  PathChoiceTest() {
    std::mt19937_64 random(1);
    data_ = oracles::random_dataset(random, {.queries = 40});
    valid_ = oracles::random_dataset(random, {.queries = 40});
    TrainOptions options;
    options.method = RlsOptions{.alpha = "0.01,1,1000000", .leave_query_out = true};
    path_ = train_rls(data_, options);
  }
  Dataset data_;
  Dataset valid_;
  RlsPath path_;
  Measure measure_ = parse_measures("ndcg@10").front();
};

TEST_F(PathChoiceTest, is_the_largest_mean_on_validation_data) {
  const PathChoice choice = choose_by_validation(path_, valid_, measure_, {});
  ASSERT_EQ(choice.means.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto scores = path_.results[k].model.score(valid_);
    EXPECT_EQ(choice.means[k], evaluate(valid_, scores, {measure_}).means[0].mean);
    EXPECT_LE(choice.means[k], choice.means[choice.best]);
  }
}

TEST_F(PathChoiceTest, is_the_largest_mean_of_scores_that_leave_each_query_out) {
  const PathChoice choice = choose_by_leave_query_out(path_, data_, measure_, {});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(choice.means[k], evaluate(data_, path_.leave_query_out[k], {measure_}).means[0].mean);
    EXPECT_LE(choice.means[k], choice.means[choice.best]);
  }
  path_.leave_query_out.clear();
  EXPECT_THROW(choose_by_leave_query_out(path_, data_, measure_, {}), Error);
}

TEST_F(PathChoiceTest, keeps_the_whole_path_in_the_report) {
  const PathChoice choice = choose_by_validation(path_, valid_, measure_, {});
  const TrainResult result = take_choice(path_, choice, "ndcg@10 on vali.txt");
  EXPECT_EQ(result.model.function, path_.results[choice.best].model.function);
  EXPECT_EQ(result.report.path_measure, "ndcg@10 on vali.txt");
  ASSERT_EQ(result.report.path.size(), 3U);
  EXPECT_EQ(result.report.path[2].value, 1e6);
  EXPECT_EQ(result.report.path[2].measure, choice.means[2]);
  EXPECT_EQ(result.model.report, result.report);
}

}  // namespace
}  // namespace rankine
