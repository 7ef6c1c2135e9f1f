#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/model.hpp>
#include <rankine/train.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Model trained(const Dataset& data, Scaling scaling, const std::string& features = "") {
  TrainOptions options;
  options.scaling = scaling;
  options.features = features;
  return train(data, options).model;
}

TEST(ModelScore, is_the_product_with_scaled_features_for_every_scaling) {
  std::mt19937_64 random(3);
  const Dataset dense = oracles::random_dataset(random, {.queries = 30, .offset = 3});
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    for (const Scaling kind : {Scaling::none, Scaling::standard, Scaling::minmax,
                               Scaling::query_minmax, Scaling::quantile, Scaling::log}) {
      const Model model = trained(data, kind);
      const Dataset scaled = apply_scaling(data, model.scaling);
      const auto& weights = model.function.as<LinearFunction>().weights;
      const auto scores = model.score(data);
      // The copy is in single precision, the fold is not: the difference is a rounding of features.
      Model plain = model;
      plain.scaling = fit_scaling(scaled, Scaling::none);
      const auto expected = plain.score(scaled);
      double size = 0;
      for (const double weight : weights) size += std::abs(weight);
      for (std::size_t doc = 0; doc < scores.size(); ++doc) {
        EXPECT_NEAR(scores[doc], expected[doc], 1e-5 * (1 + size));
      }
    }
  }
}

TEST(ModelScore, has_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(4);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 500, .most_documents = 40, .features = 11});
  const Model model = trained(data, Scaling::standard);
  EXPECT_EQ(model.score(data, 1), model.score(data, 3));
}

TEST(ModelScore, counts_absent_columns_as_0_and_leaves_out_unseen_ones) {
  std::mt19937_64 random(5);
  const Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 3});
  const Model model = trained(data, Scaling::none);
  const auto& weights = model.function.as<LinearFunction>().weights;
  Dataset narrow = data;
  narrow.features = DenseMatrix{1, 2, std::vector<float>{2, 3}};
  narrow.grades = std::vector<double>{0};
  EXPECT_DOUBLE_EQ(model.score(narrow)[0], 2 * weights[0] + 3 * weights[1]);
  Dataset wide = narrow;
  wide.features = DenseMatrix{1, 5, std::vector<float>{2, 3, 4, 100, 100}};
  EXPECT_DOUBLE_EQ(model.score(wide)[0], 2 * weights[0] + 3 * weights[1] + 4 * weights[2]);
}

TEST(ModelScore, of_selected_features_needs_them) {
  std::mt19937_64 random(6);
  const Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 5});
  const Model model = trained(data, Scaling::none, "2,5");
  const auto& weights = model.function.as<LinearFunction>().weights;
  ASSERT_EQ(weights.size(), 2U);
  const auto row = std::get<DenseMatrix>(data.features).row(7);
  EXPECT_NEAR(model.score(data)[7],
              static_cast<double>(row[1]) * weights[0] + static_cast<double>(row[4]) * weights[1],
              1e-12);
  Dataset narrow = data;
  narrow.source = "narrow.txt";
  narrow.features = DenseMatrix{1, 2, std::vector<float>{2, 3}};
  narrow.grades = std::vector<double>{0};
  try {
    model.score(narrow);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "narrow.txt: the model uses feature 5 and the data has 2");
  }
}

TEST(RawWeights, rank_unscaled_features_as_the_model_does) {
  std::mt19937_64 random(7);
  const Dataset data = oracles::random_dataset(random, {.queries = 20});
  const Model model = trained(data, Scaling::standard);
  const auto raw = model.raw_weights();
  const auto scores = model.score(data);
  const auto& rows = std::get<DenseMatrix>(data.features);
  double shift = 0;
  for (std::int64_t doc = 0; doc < rows.num_rows; ++doc) {
    double product = 0;
    for (std::size_t f = 0; f < raw.size(); ++f) {
      product += raw[f] * static_cast<double>(rows.row(doc)[f]);
    }
    if (doc == 0) shift = scores[0] - product;
    EXPECT_NEAR(scores[static_cast<std::size_t>(doc)], product + shift, 1e-9);
  }
  EXPECT_THROW(static_cast<void>(trained(data, Scaling::log).raw_weights()), Error);
}

}  // namespace
}  // namespace rankine
