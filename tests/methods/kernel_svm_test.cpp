#include "methods/kernel_svm.hpp"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>

#include "features/kernel.hpp"
#include "oracles/dense_kernel_svm.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data(std::int64_t queries = 40) {
  std::mt19937_64 random(23);
  Dataset data = oracles::random_dataset(random, {.queries = queries, .features = 5});
  data.source = "train.txt";
  return data;
}

TrainOptions rbf(Approximation approximation, std::int64_t components = 60) {
  TrainOptions options;
  options.map.kernel = Kernel::rbf;
  options.map.gamma = 0.1;
  options.map.approximation = approximation;
  options.map.n_components = components;
  return options;
}

std::string message_of(const Dataset& data, const TrainOptions& options) {
  try {
    train(data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

TEST(KernelSvm, exact_agrees_with_every_document_a_landmark) {
  const Dataset data = some_data();
  for (const Kernel kernel : {Kernel::rbf, Kernel::laplacian, Kernel::polynomial}) {
    TrainOptions exact = rbf(Approximation::none);
    TrainOptions mapped = rbf(Approximation::nystroem, 100'000);
    exact.map.kernel = mapped.map.kernel = kernel;
    mapped.map.rank_tolerance = 1e-10;
    const TrainResult one = train(data, exact);
    const TrainResult other = train(data, mapped);
    EXPECT_NEAR(one.report.objective, other.report.objective, 1e-3 * one.report.objective);
    EXPECT_LT(largest_difference(one.model.score(data), other.model.score(data)), 0.03);
    ASSERT_FALSE(other.report.warnings.empty());
    EXPECT_NE(other.report.warnings[0].find("every document is a landmark"), std::string::npos);
  }
}

/// Squared hinge, pairs alike, features as they are.
TrainOptions plain_rbf(double C, double gamma) {
  TrainOptions options = rbf(Approximation::none);
  options.scaling = Scaling::none;
  options.method = SvmOptions{.C = C, .normalisation = Normalisation::none};
  options.map.gamma = gamma;
  return options;
}

oracles::DenseKernelSvm dense_rbf(const Dataset& data, double C, double gamma) {
  return {data, kernel_gram({.kind = Kernel::rbf, .gamma = gamma}, data.features, 1), C};
}

TEST(KernelSvm, gap_bounds_the_distance_from_the_minimum_in_double) {
  const Dataset data = some_data(6);
  for (const double C : {0.1, 10.0, 1e3, 1e5}) {
    const TrainResult result = train(data, plain_rbf(C, 0.1));
    const double least = dense_rbf(data, C, 0.1).minimum();
    EXPECT_LE(result.report.objective, least + result.report.gap) << C;
    EXPECT_GE(result.report.objective, least - result.report.gap) << C;
  }
}

/// A wide kernel and a large C: most directions of the landmarks are below what single precision
/// can tell.
TEST(KernelSvm, nystroem_of_every_direction_does_not_learn_rounding_errors) {
  constexpr double kC = 64;
  constexpr double kGamma = 0.004;
  const Dataset data = some_data(10);
  const auto dense = dense_rbf(data, kC, kGamma);
  const double least = dense.minimum();
  for (const std::int64_t rank : {0, 150}) {
    TrainOptions options = plain_rbf(kC, kGamma);
    options.map.approximation = Approximation::nystroem;
    options.map.n_components = 100'000;
    options.map.rank_tolerance = 0;
    options.map.rank = rank;
    const TrainResult result = train(data, options);
    EXPECT_NEAR(result.report.objective, least, 0.01 * least) << rank;
    EXPECT_LE(kC * dense.loss(result.model.score(data)), 1.001 * result.report.objective) << rank;
  }
}

TEST(KernelSvm, is_the_same_with_a_matrix_made_anew_for_each_product) {
  const Dataset data = some_data();
  TrainOptions options = rbf(Approximation::none);
  const TrainResult kept = train(data, options);
  options.memory_limit = 1e-4;
  options.map.n_components = 10;
  const TrainResult made = train(data, options);
  EXPECT_TRUE(kept.report.map.kept);
  EXPECT_FALSE(made.report.map.kept);
  EXPECT_EQ(kept.model.score(data), made.model.score(data));
}

TEST(MappedTraining, is_the_same_with_rows_made_anew_for_each_pass) {
  const Dataset data = some_data();
  for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
    TrainOptions options = rbf(how, 20);
    const TrainResult kept = train(data, options);
    options.memory_limit = 2e-5;
    const TrainResult made = train(data, options);
    EXPECT_TRUE(kept.report.map.kept);
    EXPECT_FALSE(made.report.map.kept);
    EXPECT_NEAR(kept.report.objective, made.report.objective, 1e-4 * kept.report.objective);
    EXPECT_LT(largest_difference(kept.model.score(data), made.model.score(data)), 0.02);
  }
}

TEST(MappedTraining, works_with_every_loss_and_method) {
  const Dataset data = some_data();
  for (const Approximation how :
       {Approximation::nystroem, Approximation::fourier, Approximation::relu}) {
    TrainOptions options = rbf(how);
    if (how == Approximation::relu) options.map.kernel = Kernel::linear;
    for (const Loss loss : {Loss::squared_hinge, Loss::hinge, Loss::huber, Loss::logistic}) {
      SvmOptions svm;
      svm.pair_loss.loss = loss;
      options.method = svm;
      const TrainResult result = train(data, options);
      const auto measures = parse_measures("pair_accuracy");
      const auto measured = evaluate(data, result.model.score(data), measures,
                                     measure_rules(Convention::rankine), {});
      EXPECT_GT(measured.means[0].mean, 0.7) << name_of(loss) << " " << name_of(how);
    }
    options.method = StochasticOptions{};
    EXPECT_GT(train(data, options).report.objective, 0);
  }
}

TEST(MappedTraining, gives_the_same_bits_for_any_number_of_threads) {
  const Dataset data = some_data(120);
  for (const Approximation how :
       {Approximation::none, Approximation::nystroem, Approximation::fourier}) {
    TrainOptions options = rbf(how);
    options.threads = 1;
    const auto one = train(data, options).model.score(data, 1);
    options.threads = 4;
    EXPECT_EQ(train(data, options).model.score(data, 3), one);
  }
}

TEST(MappedTraining, path_equals_training_one_by_one) {
  const Dataset data = some_data();
  const std::vector<double> values{0.01, 0.1, 1, 10};
  for (const Approximation how : {Approximation::none, Approximation::nystroem}) {
    TrainOptions options = rbf(how);
    const auto path = train_path(data, options, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      SvmOptions svm;
      svm.C = values[k];
      options.method = svm;
      EXPECT_NEAR(path[k].report.objective, train(data, options).report.objective,
                  1e-4 * path[k].report.objective);
    }
  }
}

TEST(PrecomputedTraining, equals_training_with_the_kernel_itself_whatever_the_order_of_rows) {
  const Dataset data = some_data(25);
  TrainOptions options = rbf(Approximation::none);
  options.scaling = Scaling::none;
  const TrainResult expected = train(data, options);
  const auto gram = kernel_gram({.kind = Kernel::rbf, .gamma = 0.1}, data.features, 1);
  const std::int64_t n = data.num_documents();
  Dataset given = data;
  given.features = DenseMatrix{n, n, std::vector<float>(gram.begin(), gram.end())};
  TrainOptions precomputed = options;
  precomputed.map.kernel = Kernel::precomputed;
  for (const Approximation how : {Approximation::none, Approximation::nystroem}) {
    precomputed.map.approximation = how;
    precomputed.map.n_components = n;
    const TrainResult found = train(given, precomputed);
    EXPECT_TRUE(found.model.is_linear());
    EXPECT_NEAR(found.report.objective, expected.report.objective,
                2e-3 * expected.report.objective);
    EXPECT_LT(largest_difference(found.model.score(given), expected.model.score(data)), 0.05);
  }
  // The same documents as if the input had them in another order: columns follow the input.
  std::vector<std::int64_t> input_rows(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) input_rows[static_cast<std::size_t>(k)] = n - 1 - k;
  std::vector<float> turned(gram.size());
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      turned[static_cast<std::size_t>(row * n + (n - 1 - column))] =
          static_cast<float>(gram[static_cast<std::size_t>(row * n + column)]);
    }
  }
  given.features = DenseMatrix{n, n, std::move(turned)};
  given.input_rows = std::move(input_rows);
  precomputed.map.approximation = Approximation::none;
  const TrainResult found = train(given, precomputed);
  EXPECT_LT(largest_difference(found.model.score(given), expected.model.score(data)), 0.05);
}

TEST(KernelSvm, refuses_what_cannot_be_with_one_line) {
  const Dataset data = some_data(10);
  TrainOptions options = rbf(Approximation::none);
  SvmOptions svm;
  svm.pair_loss.loss = Loss::hinge;
  options.method = svm;
  EXPECT_EQ(message_of(data, options),
            "an exact kernel needs a loss with second derivatives: with loss = "
            "'hinge' choose an approximation");
  options = rbf(Approximation::nystroem);
  options.map.gamma = -1;
  EXPECT_EQ(message_of(data, options), "gamma = -1 must be in [0, 1e+30]");
  options = rbf(Approximation::nystroem);
  options.map.n_components = 0;
  EXPECT_EQ(message_of(data, options), "n_components = 0 must be in [1, 10000000]");
  options = rbf(Approximation::fourier, 1'000'000);
  options.memory_limit = 4;
  EXPECT_EQ(
      message_of(data, options),
      "n_components = 1000000 needs about 40000 GB and there are 4 GB: at most 10000 would fit");
  options = rbf(Approximation::none);
  options.map.kernel = Kernel::precomputed;
  EXPECT_EQ(message_of(data, options).substr(0, 51),
            "train.txt: a precomputed kernel must be square: " +
                std::to_string(data.num_documents()).substr(0, 3));
}

TEST(KernelSvm, reproduces_the_papers_figures_on_mq2007) {
  const char* given = std::getenv("RANKINE_LETOR_DIR");
  const std::filesystem::path folder =
      std::filesystem::path(given != nullptr ? given : "build/letor") / "mq2007" / "Fold1";
  if (!std::filesystem::exists(folder / "train.txt")) {
    GTEST_SKIP() << folder << " is not there";
  }
  const Dataset data = read_letor((folder / "train.txt").string());
  const Dataset test = read_letor((folder / "test.txt").string());
  SvmOptions svm;
  svm.C = 0.25;
  svm.normalisation = Normalisation::none;
  const auto measures = parse_measures("mean_ndcg");
  // Chen et al. 2017: .5330 and .5336.
  for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
    TrainOptions options = rbf(how, 2000);
    options.map.gamma = 1.0 / 32;
    options.scaling = Scaling::none;
    options.method = svm;
    const TrainResult result = train(data, options);
    const auto measured =
        evaluate(test, result.model.score(test), measures, measure_rules(Convention::letor), {});
    EXPECT_NEAR(measured.means[0].mean, 0.5333, 0.005);
  }
}

}  // namespace
}  // namespace rankine
