#include "methods/saved_objective.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "losses/pairs/squared_error_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(8);
  return oracles::random_dataset(random, {.queries = 20, .features = 4});
}

/// alpha |f|^2 with the kernel in double + the squared error over all pairs, query by query.
double objective_of(const Model& model, const Dataset& data, double alpha) {
  const std::vector<double> scores = model.score(data);
  const auto& function = model.function.as<KernelFunction>();
  double objective = 0;
  std::size_t used = 0;
  for (std::int64_t q = 0; q < data.num_queries(); ++q) {
    const auto end = static_cast<std::size_t>(data.query_offsets[static_cast<std::size_t>(q) + 1]);
    const auto begin = static_cast<std::size_t>(data.query_offsets[static_cast<std::size_t>(q)]);
    if (end - begin < 2) continue;  // no pairs, no coefficients
    for (std::size_t i = begin; i < end; ++i) {
      ++used;
      for (std::size_t j = i + 1; j < end; ++j) {
        const double error = data.grades[i] - data.grades[j] - (scores[i] - scores[j]);
        objective += error * error;
      }
    }
  }
  EXPECT_EQ(used, function.weights.size());
  const auto& landmarks = std::get<DenseMatrix>(function.landmarks);
  for (std::int64_t i = 0; i < landmarks.num_rows; ++i) {
    for (std::int64_t j = 0; j < landmarks.num_rows; ++j) {
      double distance = 0;
      for (std::size_t f = 0; f < landmarks.row(i).size(); ++f) {
        const double difference =
            static_cast<double>(landmarks.row(i)[f]) - static_cast<double>(landmarks.row(j)[f]);
        distance += difference * difference;
      }
      objective += alpha * function.weights[static_cast<std::size_t>(i)] *
                   function.weights[static_cast<std::size_t>(j)] *
                   std::exp(-function.kernel.gamma * distance);
    }
  }
  return objective;
}

TEST(SavedObjective, is_that_of_the_models_own_scores_where_single_precision_is_too_coarse) {
  const Dataset data = some_data();
  for (const double alpha : {1e-3, 1e-6, 1e-9, 1e-12}) {
    TrainOptions options;
    options.method = RlsOptions{.alpha = alpha, .normalisation = Normalisation::none};
    options.map.kernel = Kernel::rbf;
    options.map.gamma = 0.01;
    const TrainResult result = train(data, options);
    const double expected = objective_of(result.model, data, alpha);
    EXPECT_NEAR(result.report.objective, expected, 1e-4 * expected) << alpha;
    EXPECT_EQ(result.model.report, result.report);
    EXPECT_LE(result.report.gap, result.report.objective);
  }
}

TEST(SavedObjective, is_told_where_it_is_not_the_solutions) {
  TrainOptions options;
  options.method = RlsOptions{.alpha = 1e-12, .normalisation = Normalisation::none};
  options.map.kernel = Kernel::rbf;
  options.map.gamma = 0.01;
  const TrainResult result = train(some_data(), options);
  EXPECT_TRUE(std::any_of(result.report.warnings.begin(), result.report.warnings.end(),
                          [](const std::string& warning) {
                            return warning.find("single precision") != std::string::npos;
                          }));
  EXPECT_GT(result.report.gap, 0.1 * result.report.objective);
}

TEST(SavedObjective, costs_no_scoring_where_coefficients_are_small) {
  TrainOptions options;
  options.method = RlsOptions{};
  options.map.kernel = Kernel::rbf;
  TrainReport report;
  const Dataset data = some_data();
  const Problem problem(data, options, {}, report, nullptr);
  Solution solution;
  const std::vector<double> coefficients{0.1, 0.2};
  const std::vector<std::int64_t> rows{0, 1};
  solution.function = problem.data().function(coefficients, rows);
  const auto loss = std::make_shared<SquaredErrorPairs>(PairGraph::all);
  check_as_saved(
      problem, {loss, 1, 1}, [] { return 0.0; }, solution);
  EXPECT_FALSE(solution.objective_of_scores);
}

TEST(KernelMagnitudes, are_refused_by_the_columns_name_where_squares_overflow) {
  Dataset data = some_data();
  data.source = "d.txt";
  auto values = std::get<DenseMatrix>(data.features);
  std::vector<float> entries(values.values.begin(), values.values.end());
  for (std::size_t k = 2; k < entries.size(); k += 4) entries[k] *= 1e20F;
  data.features = DenseMatrix{values.num_rows, values.num_columns, entries};
  for (const Kernel kernel : {Kernel::rbf, Kernel::polynomial}) {
    TrainOptions options{.scaling = Scaling::none};
    options.map.kernel = kernel;
    try {
      train(data, options);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 30), "d.txt: feature 3 has the value");
    }
    options.scaling = Scaling::standard;
    EXPECT_NO_THROW(train(data, options));
  }
}

}  // namespace
}  // namespace rankine
