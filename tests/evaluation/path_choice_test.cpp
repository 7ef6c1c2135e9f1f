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
    options.method = RlsOptions{.alpha = {0.01, 1, 1000000}};
    options.leave_query_out = true;
    path_ = train_path(data_, options);
  }
  Dataset data_;
  Dataset valid_;
  TrainPath path_;
  Measure measure_ = parse_measures("ndcg@10").front();
};

TEST_F(PathChoiceTest, is_the_largest_mean_on_validation_data) {
  const Selection choice = select_from_path(path_, nullptr, {measure_, {}, &valid_});
  ASSERT_EQ(choice.means.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto scores = path_.results[k].model.score(valid_);
    EXPECT_EQ(choice.means[k], evaluate(valid_, scores, {measure_}).means[0].mean);
    EXPECT_LE(choice.means[k], choice.means[choice.best]);
  }
}

TEST_F(PathChoiceTest, is_the_largest_mean_of_scores_that_leave_each_query_out) {
  const Selection choice = select_from_path(path_, &data_, {measure_, {}, nullptr});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(choice.means[k], evaluate(data_, path_.leave_query_out[k], {measure_}).means[0].mean);
    EXPECT_LE(choice.means[k], choice.means[choice.best]);
  }
  path_.leave_query_out.clear();
  EXPECT_THROW(select_from_path(path_, &data_, {measure_, {}, nullptr}), Error);
}

TEST_F(PathChoiceTest, says_where_the_best_value_is_at_the_edge) {
  // Scores that rank as the grades do, for one value; of the others, the other way round.
  const auto chosen_is = [&](std::size_t best) {
    for (std::size_t k = 0; k < 3; ++k) {
      path_.leave_query_out[k].assign(data_.grades.begin(), data_.grades.end());
      for (double& score : path_.leave_query_out[k]) score *= k == best ? 1 : -1;
    }
    return select_from_path(path_, &data_, {measure_, {}, nullptr}).result.report.warnings;
  };
  EXPECT_EQ(chosen_is(0).back(),
            "alpha = 0.01 is the least of the values that were tried: a better one may lie beyond");
  EXPECT_EQ(
      chosen_is(2).back(),
      "alpha = 1e+06 is the largest of the values that were tried: a better one may lie beyond");
  EXPECT_EQ(chosen_is(1), path_.results[1].report.warnings);
}

TEST_F(PathChoiceTest, keeps_the_whole_path_in_the_report) {
  valid_.source = "vali.txt";
  const Selection choice = select_from_path(path_, nullptr, {measure_, {}, &valid_});
  const TrainResult& result = choice.result;
  EXPECT_EQ(result.model.function, path_.results[choice.best].model.function);
  EXPECT_EQ(result.report.path_measure, "ndcg@10 on vali.txt");
  ASSERT_EQ(result.report.path.size(), 3U);
  EXPECT_EQ(result.report.path[2].value, 1e6);
  EXPECT_EQ(result.report.path[2].measure, choice.means[2]);
  EXPECT_EQ(result.model.report, result.report);
}

TEST_F(PathChoiceTest, of_one_training_is_that_of_its_path) {
  TrainOptions options;
  options.method = RlsOptions{.alpha = {0.01, 1, 1000000}};
  const Selection both = train_and_select(data_, options, {measure_, {}, nullptr});
  EXPECT_EQ(both.best, select_from_path(path_, &data_, {measure_, {}, nullptr}).best);
  EXPECT_EQ(both.leave_query_out, path_.leave_query_out[both.best]);
  options.method = SvmOptions{.C = {0.01, 1}};
  const Selection svm = train_and_select(data_, options, {measure_, {}, &valid_});
  EXPECT_EQ(svm.means.size(), 2U);
  EXPECT_EQ(svm.values, (std::vector<double>{0.01, 1}));
}

TEST_F(PathChoiceTest, refuses_values_that_nothing_can_judge_before_it_trains) {
  TrainOptions options;
  options.method = SvmOptions{.C = {0.01, 1}};
  EXPECT_THROW(
      train_and_select(data_, options, {measure_, {}, nullptr},
                       [](const ProgressEvent&) -> bool { throw std::logic_error("trained"); }),
      Error);
}

}  // namespace
}  // namespace rankine
