#include "problem/problem.hpp"

#include <random>
#include <string>

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
