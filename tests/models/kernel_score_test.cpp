#include "models/kernel_score.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"
#include "models/model_file.hpp"

namespace rankine {
namespace {

KernelFunction kernel_function() {
  return {{.kind = Kernel::rbf, .gamma = 0.2}, random_rows(5, 3, 9), {1, -2, 0.5, 3, -1}};
}

RandomFunction random_function(Approximation kind) {
  return {kind, random_rows(4, 3, 8), {0.1F, 0.2F, 0.3F, -0.4F}, {1, -1, 2, 0.5}};
}

template <class Function>
std::vector<double> scores_of(const Function& function, const FeatureMatrix& rows, int threads) {
  return function_scores(std::vector<const Function*>{&function}, rows, threads).front();
}

Model model_of(ScoringFunction function) {
  Model model;
  model.function = std::move(function);
  model.scaling.num_features = 3;
  model.trained_on.num_features = 3;
  model.report.map = {0.2, 5, 4, 0.01, true, 1.5};
  return model;
}

TEST(FunctionScores, of_a_kernel_are_the_weighted_kernel_values) {
  const KernelFunction function = kernel_function();
  const DenseMatrix rows = random_rows(200, 3);
  const auto scores = scores_of(function, rows, 2);
  std::vector<std::int64_t> both;
  for (std::int64_t r = 0; r < 200; ++r) {
    double expected = 0;
    for (std::int64_t j = 0; j < 5; ++j) {
      double distance = 0;
      for (std::size_t f = 0; f < 3; ++f) {
        const double apart =
            static_cast<double>(rows.row(r)[f]) -
            static_cast<double>(std::get<DenseMatrix>(function.landmarks).row(j)[f]);
        distance += apart * apart;
      }
      expected += function.weights[static_cast<std::size_t>(j)] * std::exp(-0.2 * distance);
    }
    EXPECT_NEAR(scores[static_cast<std::size_t>(r)], expected, 1e-5);
  }
  EXPECT_EQ(scores, scores_of(function, rows, 1));
}

TEST(FunctionScores, of_random_features_are_the_weighted_waves_or_halfspaces) {
  const DenseMatrix rows = random_rows(50, 3);
  for (const Approximation kind : {Approximation::fourier, Approximation::relu}) {
    const RandomFunction function = random_function(kind);
    const auto scores = scores_of(function, rows, 1);
    for (std::int64_t r = 0; r < 50; ++r) {
      double expected = 0;
      for (std::int64_t j = 0; j < 4; ++j) {
        const auto k = static_cast<std::size_t>(j);
        auto t = static_cast<double>(function.phases[k]);
        for (std::size_t f = 0; f < 3; ++f) {
          t += static_cast<double>(rows.row(r)[f]) *
               static_cast<double>(function.frequencies.row(j)[f]);
        }
        expected +=
            function.weights[k] * (kind == Approximation::relu ? std::max(0.0, t) : std::cos(t));
      }
      EXPECT_NEAR(scores[static_cast<std::size_t>(r)], expected, 1e-5);
    }
  }
}

TEST(FunctionScores, of_several_kernel_functions_have_the_bits_of_each_alone) {
  const DenseMatrix dense = random_rows(150, 3);
  const DenseMatrix all = random_rows(40, 3, 9);
  for (const bool sparse : {false, true}) {
    const FeatureMatrix landmarks = sparse ? FeatureMatrix(sparse_form(all)) : FeatureMatrix(all);
    const FeatureMatrix rows = sparse ? FeatureMatrix(sparse_form(dense)) : FeatureMatrix(dense);
    std::vector<KernelFunction> functions;
    for (const std::int64_t step : {1, 2, 3}) {  // every landmark, every second, every third
      for (const double gamma : {0.2, 0.05}) {
        std::vector<std::int64_t> chosen;
        for (std::int64_t k = 39; k >= 0; k -= step) chosen.push_back(k);
        std::vector<double> weights;
        for (const std::int64_t k : chosen) weights.push_back(std::sin(static_cast<double>(k)));
        functions.push_back({{.kind = Kernel::rbf, .gamma = gamma},
                             take_rows(landmarks, chosen),
                             std::move(weights)});
      }
    }
    functions.push_back(functions[2]);  // shares its landmarks
    functions.back().weights[0] = 5;
    functions.push_back({functions[0].kernel, take_rows(landmarks, {}), {}});
    std::vector<const KernelFunction*> pointers;
    for (const KernelFunction& function : functions) pointers.push_back(&function);
    KernelProductCache kept(rows, std::make_shared<MemoryBudget>(1e9), 15, 1);
    for (KernelProductCache* keep : {static_cast<KernelProductCache*>(nullptr), &kept}) {
      const auto together = function_scores(pointers, rows, 2, keep);
      ASSERT_EQ(together.size(), functions.size());
      for (std::size_t k = 0; k < functions.size(); ++k) {
        EXPECT_EQ(together[k], scores_of(functions[k], rows, 1)) << k;
      }
    }
  }
}

TEST(FunctionScores, of_several_random_functions_have_the_bits_of_each_alone) {
  const DenseMatrix rows = random_rows(150, 3);
  std::vector<RandomFunction> functions{random_function(Approximation::fourier),
                                        random_function(Approximation::relu)};
  functions.push_back(functions[0]);
  functions.back().weights = {3, 0.5, -1, 2};
  functions.push_back(functions[0]);
  functions.back().phases[0] = 1;
  std::vector<const RandomFunction*> pointers;
  for (const RandomFunction& function : functions) pointers.push_back(&function);
  const auto together = function_scores(pointers, rows, 2);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    EXPECT_EQ(together[k], scores_of(functions[k], rows, 1)) << k;
  }
}

TEST(ModelFile, gives_back_every_bit_of_functions_that_are_not_linear) {
  KernelFunction sparse = kernel_function();
  sparse.landmarks = sparse_form(std::get<DenseMatrix>(sparse.landmarks));
  const std::vector<Model> models{model_of(kernel_function()), model_of(sparse),
                                  model_of(random_function(Approximation::fourier)),
                                  model_of(random_function(Approximation::relu))};
  Dataset data;
  data.features = random_rows(30, 3, 4);
  data.grades = std::vector<double>(30);
  data.query_offsets = std::vector<std::int64_t>{0, 30};
  data.query_ids = StringList::of({"1"});
  for (const Model& model : models) {
    const Model again = parse_model(model_bytes(model), "m.rkn");
    EXPECT_EQ(again, model);
    EXPECT_EQ(again.score(data), model.score(data));
    EXPECT_EQ(model.num_features(), 3);
    EXPECT_THROW(model.raw_weights(), Error);
  }
  EXPECT_FALSE(models[0] == models[1]);
}

}  // namespace
}  // namespace rankine
