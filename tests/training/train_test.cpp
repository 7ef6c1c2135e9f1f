#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>
#include <rankine/train.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data(std::int64_t queries = 60) {
  std::mt19937_64 random(17);
  Dataset data = oracles::random_dataset(random, {.queries = queries, .features = 6});
  data.source = "train.txt";
  return data;
}

const std::vector<double>& weights_of(const Model& model) {
  return model.function.as<LinearFunction>().weights;
}

std::string message_of(const Dataset& data, const TrainOptions& options) {
  try {
    train(data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Train, says_what_it_found) {
  const TrainResult result = train(some_data());
  EXPECT_EQ(result.report.termination, Termination::converged);
  EXPECT_GT(result.report.objective, 0);
  EXPECT_LE(result.report.gap, 1e-3 * result.report.objective);
  EXPECT_EQ(result.model.report, result.report);
  EXPECT_EQ(result.model.trained_on.num_documents, some_data().num_documents());
}

TEST(Train, gives_the_same_bits_for_any_number_of_threads_by_every_method) {
  const Dataset data = some_data(300);
  std::vector<MethodOptions> methods{SvmOptions{}, StochasticOptions{}};
  for (const Loss loss : {Loss::hinge, Loss::huber, Loss::logistic}) {
    SvmOptions svm;
    svm.pair_loss.loss = loss;
    methods.emplace_back(svm);
  }
  for (const MethodOptions& method : methods) {
    TrainOptions options;
    options.method = method;
    options.threads = 1;
    const Model one = train(data, options).model;
    options.threads = 4;
    EXPECT_EQ(weights_of(train(data, options).model), weights_of(one));
  }
}

TEST(Train, by_cutting_planes_and_stochastic_gradients_folds_scalings_in) {
  const Dataset data = some_data();
  SvmOptions hinge;
  hinge.pair_loss.loss = Loss::hinge;
  StochasticOptions by_query;
  by_query.sgd.sampling = Sampling::query;
  for (const MethodOptions& method :
       {MethodOptions{hinge}, MethodOptions{StochasticOptions{}}, MethodOptions{by_query}}) {
    TrainOptions options;
    options.method = method;
    options.scaling = Scaling::standard;
    const TrainReport folded = train(data, options).report;
    options.scaling = Scaling::none;
    const Dataset scaled = apply_scaling(data, fit_scaling(data, Scaling::standard));
    const TrainReport direct = train(scaled, options).report;
    EXPECT_NEAR(folded.objective, direct.objective, 2e-3 * direct.objective);
  }
}

TEST(Train, on_folded_scaling_equals_training_on_scaled_data) {
  const Dataset data = some_data();
  for (const Scaling kind : {Scaling::standard, Scaling::minmax}) {
    TrainOptions options;
    options.scaling = kind;
    const Model folded = train(data, options).model;
    options.scaling = Scaling::none;
    const Dataset scaled = apply_scaling(data, fit_scaling(data, kind));
    const Model direct = train(scaled, options).model;
    for (std::size_t f = 0; f < 6; ++f) {
      EXPECT_NEAR(weights_of(folded)[f], weights_of(direct)[f],
                  1e-4 * (1 + std::abs(weights_of(direct)[f])));
    }
  }
}

TEST(Train, from_another_model_starts_where_it_ended) {
  const Dataset data = some_data();
  const Model first = train(data).model;
  TrainOptions options;
  options.warm_start = &first;
  EXPECT_LE(train(data, options).report.iterations, 1);
  options.scaling = Scaling::minmax;  // the same ranking in other units
  EXPECT_EQ(train(data, options).report.termination, Termination::converged);
}

TEST(Train, gives_constant_columns_no_weight_and_names_them) {
  std::mt19937_64 random(19);
  Dataset data = oracles::random_dataset(random, {.queries = 30, .features = 3});
  const auto& rows = std::get<DenseMatrix>(data.features);
  std::vector<float> values(rows.values.begin(), rows.values.end());
  for (std::size_t k = 1; k < values.size(); k += 3) values[k] = 1000;
  data.features = DenseMatrix{rows.num_rows, 3, std::move(values)};
  for (const Scaling kind : {Scaling::none, Scaling::standard}) {
    TrainOptions options;
    options.scaling = kind;
    const TrainResult result = train(data, options);
    EXPECT_EQ(result.report.constant_columns, std::vector<std::int64_t>{1});
    EXPECT_EQ(weights_of(result.model)[1], 0);
    EXPECT_NE(weights_of(result.model)[0], 0);
  }
}

TEST(Train, refuses_data_without_pairs) {
  Dataset data = some_data();
  data.grades = std::vector<double>(data.grades.size(), 1.0);
  EXPECT_EQ(message_of(data, {}),
            "train.txt: nothing to learn from: in every query all grades are equal, or the weights "
            "are 0");
}

TEST(Train, refuses_weights_of_documents_that_leave_no_pair) {
  Dataset data = some_data();
  std::vector<double> weights(data.grades.size(), 0.0);
  const std::string message =
      "train.txt: nothing to learn from: in every query all grades are equal, or the weights are 0";
  data.document_weights = weights;
  EXPECT_EQ(message_of(data, {}), message);
  // One grade a query has weight.
  for (std::size_t doc = 0; doc < weights.size(); ++doc) weights[doc] = data.grades[doc] == 0;
  data.document_weights = weights;
  EXPECT_EQ(message_of(data, {}), message);
}

TEST(Train, refuses_to_call_an_objective_found_that_is_not_a_number) {
  Dataset data = some_data();
  data.document_weights = std::vector<double>(data.grades.size(), 1e200);
  TrainOptions huge;
  huge.method = SvmOptions{.C = 1e308};
  const std::string message =
      "train.txt: the objective is not a finite number: features, weights, C, gamma or degree are "
      "too large for the arithmetic";
  EXPECT_EQ(message_of(data, {}), message);
  EXPECT_EQ(message_of(some_data(), huge), message);
}

TEST(Train, refuses_a_polynomial_kernel_that_overflows) {
  for (const auto approximation : {Approximation::none, Approximation::nystroem}) {
    TrainOptions options;
    options.map = {.kernel = Kernel::polynomial,
                   .gamma = 10,
                   .degree = 100,
                   .approximation = approximation,
                   .n_components = 50};
    EXPECT_NE(message_of(some_data(), options).find("degree = 100: with gamma = 10"),
              std::string::npos);
  }
}

TEST(Train, refuses_C_that_is_0_negative_or_infinite) {
  for (const double C : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    TrainOptions options;
    options.method = SvmOptions{.C = C};
    EXPECT_EQ(message_of(some_data(), options),
              "C = " + real_text(C) + " must be " + (C > 0 ? "finite" : "above 0"));
  }
}

TEST(Train, refuses_a_start_of_other_width) {
  std::mt19937_64 random(23);
  const Model other = train(oracles::random_dataset(random, {.queries = 30, .features = 3})).model;
  TrainOptions options;
  options.warm_start = &other;
  EXPECT_EQ(message_of(some_data(), options),
            "warm_start: the model has 3 features and the training data 6");
}

TEST(Train, warns_of_queries_without_pairs) {
  Dataset data = some_data();
  std::vector<double> grades(data.grades.begin(), data.grades.end());
  for (std::size_t doc = 0; doc < static_cast<std::size_t>(data.query_offsets[1]); ++doc) {
    grades[doc] = 0;
  }
  data.grades = std::move(grades);
  const auto warnings = train(data).report.warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("have no pairs and were left out"), std::string::npos);
}

TEST(Train, stopped_by_its_caller_ends_with_the_best_model_so_far) {
  int calls = 0;
  const TrainResult result =
      train(some_data(), {}, [&](const ProgressEvent&) { return ++calls < 2; });
  EXPECT_EQ(result.report.termination, Termination::interrupted);
  EXPECT_EQ(result.model.num_features(), 6);
}

TEST(Train, ends_at_its_time_limit_with_a_usable_model) {
  TrainOptions options;
  options.time_limit = 1e-9;
  const TrainResult result = train(some_data(), options);
  EXPECT_EQ(result.report.termination, Termination::time_limit);
  EXPECT_EQ(result.model.score(some_data()).size(), some_data().grades.size());
  EXPECT_NE(result.report.warnings.back().find("the same score"), std::string::npos);
}

TEST(Train, takes_a_loss_of_the_users_own) {
  /// Squared differences from the difference of grades, over all pairs of the query.
  class SquaredDifferences final : public QueryLoss {
   public:
    std::string_view name() const override { return "squared differences"; }
    double gradient(const QueryDocuments& query, const QueryPoint& point,
                    std::span<double> out) const override {
      double loss = 0;
      std::fill(out.begin(), out.end(), 0.0);
      for (std::size_t i = 0; i < query.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double error =
              point.scores[i] - point.scores[j] - (query.grades[i] - query.grades[j]);
          loss += error * error;
          out[i] += 2 * error;
          out[j] -= 2 * error;
        }
      }
      return loss;
    }
    void hessian_times(const QueryDocuments& query, const QueryPoint&,
                       std::span<const double> direction, std::span<double> out) const override {
      double sum = 0;
      for (const double value : direction) sum += value;
      const auto size = static_cast<double>(query.size());
      for (std::size_t i = 0; i < query.size(); ++i) out[i] = 2 * (size * direction[i] - sum);
    }
  };
  const SquaredDifferences loss;
  TrainOptions options;
  options.loss = &loss;
  const TrainResult result = train(some_data(), options);
  EXPECT_EQ(result.report.termination, Termination::converged);
  EXPECT_LE(result.report.gap, 1e-3 * result.report.objective);
  for (const auto& [name, text] : result.model.options) {
    if (name != "loss") continue;
    EXPECT_EQ(text, "squared differences");
  }
}

TEST(TrainPath, equals_training_one_by_one) {
  const Dataset data = some_data();
  const std::vector<double> values{0.01, 0.1, 1, 10};
  for (const Loss loss : {Loss::squared_hinge, Loss::hinge}) {
    SvmOptions svm;
    svm.pair_loss.loss = loss;
    TrainOptions options;
    options.method = svm;
    const auto path = train_path(data, options, values);
    ASSERT_EQ(path.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      svm.C = values[k];
      options.method = svm;
      const TrainReport alone = train(data, options).report;
      EXPECT_NEAR(path[k].report.objective, alone.objective, 2e-3 * alone.objective);
    }
  }
}

TEST(TrainPath, refuses_values_that_do_not_rise) {
  EXPECT_THROW(train_path(some_data(), {}, std::vector<double>{1, 0.5}), Error);
}

/// The objectives of an independent prototype, and the paper's NDCG@10 (54a2782a, table 3: 0.454).
TEST(Train, reproduces_the_papers_figures_on_ohsumed) {
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const std::filesystem::path letor =
      named != nullptr ? named : std::string(RANKINE_TEST_DATA) + "/../../build/letor";
  if (!std::filesystem::exists(letor / "ohsumed")) GTEST_SKIP() << "no LETOR data in " << letor;
  const std::vector<double> expected{33.170, 38.033, 34.052, 26.229, 25.360};
  TrainOptions options;
  options.method = SvmOptions{.C = 1e-4, .normalisation = Normalisation::none};
  options.scaling = Scaling::none;
  double ndcg = 0;
  for (int fold = 1; fold <= 5; ++fold) {
    const auto folder = letor / "ohsumed" / ("Fold" + std::to_string(fold));
    const TrainResult result = train(read_letor((folder / "train.txt").string()), options);
    EXPECT_NEAR(result.report.objective, expected[static_cast<std::size_t>(fold - 1)], 5e-4);
    const Dataset test = read_letor((folder / "test.txt").string());
    ndcg += evaluate(test, result.model.score(test), parse_measures("ndcg@10"),
                     measure_rules(Convention::letor))
                .means[0]
                .mean /
            5;
  }
  EXPECT_NEAR(ndcg, 0.4536, 5e-4);
}

}  // namespace
}  // namespace rankine
