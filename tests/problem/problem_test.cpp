#include "problem/problem.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(8);
  return oracles::random_dataset(random, {.queries = 12, .features = 4});
}

std::string refusal(const Dataset& data, const TrainOptions& options) {
  try {
    TrainReport report;
    const Problem problem(data, options, {}, report, nullptr);
    problem.start_weights();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Problem, refuses_data_in_which_no_grade_differs) {
  Dataset data = some_data();
  data.source = "d.txt";
  data.grades = std::vector<double>(static_cast<std::size_t>(data.num_documents()), 1.0);
  EXPECT_EQ(
      refusal(data, {}),
      "d.txt: nothing to learn from: in every query all grades are equal, or the weights are 0");
}

TEST(Problem, starts_from_the_weights_of_another_model_under_another_scaling) {
  const Dataset data = some_data();
  const Model model = train(data, {.scaling = Scaling::none}).model;
  TrainReport report;
  const TrainOptions options{.scaling = Scaling::standard, .warm_start = &model};
  const Problem problem(data, options, {}, report, nullptr);
  const auto start = problem.start_weights();
  const auto weights = model.raw_weights();
  for (std::size_t f = 0; f < weights.size(); ++f) {
    EXPECT_DOUBLE_EQ(start[f] * problem.data().scaling().factor[f], weights[f]);
  }
}

TEST(Problem, refuses_a_start_that_does_not_fit) {
  std::mt19937_64 random(9);
  const Model other = train(oracles::random_dataset(random, {.features = 7})).model;
  EXPECT_EQ(refusal(some_data(), {.warm_start = &other}),
            "warm_start: the model has 7 features and the training data 4");
}

/// The softmax of a query's scores against its grades: it needs no pairs.
class Listwise final : public QueryLoss {
 public:
  std::string_view name() const override { return "listwise"; }
  LossNeeds needs() const override {
    return {LossNeeds::Queries::all, /*ignores_shifts=*/true, /*takes_preferences=*/false};
  }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override {
    ++*asked;
    std::fill(out.begin(), out.end(), 0.0);
    double sum = 0;
    for (const double score : point.scores) sum += std::exp(score);
    double loss = 0;
    for (std::size_t doc = 0; doc < query.size(); ++doc) {
      out[doc] = query.grades[doc] * (std::exp(point.scores[doc]) / sum - 1);
      loss += query.grades[doc] * (std::log(sum) - point.scores[doc]);
    }
    return loss;
  }
  bool has_hessian() const override { return false; }
  void hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                     std::span<double>) const override {}

  std::unique_ptr<std::atomic<int>> asked = std::make_unique<std::atomic<int>>(0);
};

TEST(Problem, shows_a_listwise_loss_the_queries_without_pairs) {
  Dataset data = some_data();
  // The first query has one grade only.
  std::vector<double> grades(data.grades.begin(), data.grades.end());
  for (std::int64_t doc = 0; doc < data.query_offsets[1]; ++doc) {
    grades[static_cast<std::size_t>(doc)] = 1;
  }
  data.grades = grades;
  const Listwise loss;
  const TrainOptions options{.loss = &loss};
  TrainReport report;
  const Problem pairwise(data, {}, pairwise_needs({}, Normalisation::query), report, nullptr);
  const Problem listwise(data, options, pairwise_needs(options, Normalisation::query), report,
                         nullptr);
  EXPECT_EQ(listwise.table().queries().size(), 12U);
  EXPECT_LT(pairwise.table().queries().size(), 12U);
  EXPECT_DOUBLE_EQ(listwise.table().queries()[0].factor,
                   1.0 / static_cast<double>(data.query_offsets[1]));
  train(data, options);
  EXPECT_GE(*loss.asked, 12);
}

TEST(Problem, refuses_preferences_for_a_loss_of_grades) {
  Dataset data = some_data();
  data.source = "d.txt";
  data.has_preferences = true;
  data.preferences = {{0, 1, 1, 1}};
  const Listwise loss;
  const TrainOptions options{.loss = &loss};
  EXPECT_EQ(refusal(data, options),
            "loss 'listwise' reads grades, and d.txt has explicit preferences");
}

TEST(Problem, refuses_options_that_do_not_reach_a_loss_of_the_users_own) {
  const Listwise loss;
  TrainOptions options{.loss = &loss};
  options.method.as<SvmOptions>().pair_loss.pair_weight = PairWeight::dcg;
  try {
    train(some_data(), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "pair_weight = 'dcg' has no effect on the loss 'listwise', which is your own");
  }
}

TEST(Problem, warns_of_queries_and_values_that_do_not_count) {
  const TrainingData five{.source = "a.txt", .num_queries = 5};
  TrainReport nothing;
  add_data_warnings(five, 5, 0, Missing::zero, nothing);
  EXPECT_TRUE(nothing.warnings.empty());
  TrainReport both;
  add_data_warnings(five, 3, 3, Missing::zero, both);
  EXPECT_EQ(both.warnings,
            (std::vector<std::string>{"2 of 5 queries have no pairs and were left out",
                                      "a.txt: 3 missing values were read as 0"}));
}

}  // namespace
}  // namespace rankine
