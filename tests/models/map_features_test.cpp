#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/map_features.hpp>
#include <rankine/train.hpp>

#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(7);
  return oracles::random_dataset(random, {.queries = 30, .features = 5});
}

FeatureMapOptions nystroem(Kernel kernel, std::int64_t n_components) {
  return {.kernel = kernel, .approximation = Approximation::nystroem, .n_components = n_components};
}

double dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(MapFeatures, products_of_a_whole_nystroem_map_are_the_kernel) {
  const Dataset data = some_data();
  for (const Kernel kernel : {Kernel::rbf, Kernel::laplacian, Kernel::polynomial}) {
    const FittedMap map = fit_map(data, nystroem(kernel, data.num_documents()));
    const DenseMatrix mapped = map_features(map, data);
    const KernelSpec spec = map.terms.function.as<KernelFunction>().kernel;
    for (std::int64_t a = 0; a < 12; ++a) {
      for (std::int64_t b = 0; b <= a; ++b) {
        const double expected = kernel_value(spec, data.features, a, b);
        EXPECT_NEAR(dot(mapped.row(a), mapped.row(b)), expected, 2e-3 * (1 + std::abs(expected)));
      }
    }
  }
}

TEST(MapFeatures, equal_the_rows_that_training_sees) {
  const Dataset data = some_data();
  std::vector<FeatureMapOptions> all{nystroem(Kernel::rbf, 20), nystroem(Kernel::rbf, 20)};
  all.back().rank = 6;
  for (const Fourier fourier : {Fourier::plain, Fourier::paired, Fourier::orthogonal}) {
    all.push_back({.kernel = Kernel::rbf,
                   .approximation = Approximation::fourier,
                   .n_components = 16,
                   .fourier = fourier});
  }
  all.push_back({.approximation = Approximation::relu, .n_components = 16});
  for (const FeatureMapOptions& options : all) {
    MapReport report;
    const auto map = fit_feature_map(options, data.features, 3, 1, report);
    const DenseMatrix expected = map_rows(*map, data.features, 1);
    const FittedMap fitted = fit_map(data, options, 3);
    EXPECT_EQ(fitted.terms.report.map, report);
    const DenseMatrix found = map_features(fitted, data);
    ASSERT_EQ(found.num_columns, expected.num_columns);
    for (std::size_t k = 0; k < found.values.size(); ++k) {
      ASSERT_NEAR(found.values[k], expected.values[k], 1e-3);
    }
  }
}

TEST(MapFeatures, threads_do_not_change_a_bit) {
  const Dataset data = some_data();
  const FittedMap one = fit_map(data, nystroem(Kernel::rbf, 20), 1, 1);
  EXPECT_EQ(one, fit_map(data, nystroem(Kernel::rbf, 20), 1, 3));
  const auto a = map_features(one, data, 1).values;
  const auto b = map_features(one, data, 3).values;
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TEST(MapFeatures, terms_of_a_map_survive_as_a_model) {
  const FittedMap map = fit_map(some_data(), nystroem(Kernel::rbf, 10));
  EXPECT_EQ(Model::from_bytes(map.terms.bytes(), "map"), map.terms);
}

TEST(ScoringTerms, times_the_weights_are_the_scores) {
  const Dataset data = some_data();
  std::vector<TrainOptions> all(4);
  all[1].map.kernel = Kernel::rbf;
  all[2].map = {.kernel = Kernel::rbf, .approximation = Approximation::fourier, .n_components = 8};
  all[3].features = "1,3-4";
  all[3].scaling = Scaling::quantile;
  for (const TrainOptions& options : all) {
    const Model model = train(data, options).model;
    const std::vector<double>& weights = *model.function.weights();
    const DenseMatrix terms = scoring_terms(model, data);
    const auto scores = model.score(data);
    ASSERT_EQ(terms.num_columns, static_cast<std::int64_t>(weights.size()));
    for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) {
      double sum = 0;
      for (std::size_t j = 0; j < weights.size(); ++j) {
        sum += weights[j] * static_cast<double>(terms.row(doc)[j]);
      }
      ASSERT_NEAR(sum, scores[static_cast<std::size_t>(doc)], 1e-4 * (1 + std::abs(sum)));
    }
  }
}

TEST(FitMap, needs_an_approximation_and_documents) {
  const auto message = [](const Dataset& data, const FeatureMapOptions& options) {
    try {
      fit_map(data, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(some_data(), {}),
            "approximation = 'none' has no map; take nystroem, fourier or relu");
  Dataset none;
  none.source = "x.txt";
  EXPECT_EQ(message(none, nystroem(Kernel::rbf, 5)), "x.txt: no documents");
  EXPECT_EQ(message(some_data(), nystroem(Kernel::rbf, 0)),
            "n_components = 0 must be in [1, 10000000]");
}

TEST(CheckMap, wants_components_terms_and_factors_to_agree) {
  FittedMap map = fit_map(some_data(), nystroem(Kernel::rbf, 5));
  EXPECT_NO_THROW(check_map(map, "map"));
  map.mixing.pop_back();
  EXPECT_THROW(check_map(map, "map"), Error);
  map = fit_map(some_data(), {.approximation = Approximation::relu, .n_components = 4});
  EXPECT_NO_THROW(check_map(map, "map"));
  map.num_components = 5;
  EXPECT_THROW(check_map(map, "map"), Error);
}

TEST(MapFeatures, refuses_documents_of_another_width) {
  const FittedMap map = fit_map(some_data(), nystroem(Kernel::rbf, 5));
  std::mt19937_64 random(1);
  Dataset other = oracles::random_dataset(random, {.queries = 3, .features = 4});
  other.source = "x.txt";
  EXPECT_THROW(map_features(map, other), Error);
}

}  // namespace
}  // namespace rankine
