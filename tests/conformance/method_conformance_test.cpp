// What holds for every method, by being registered: nothing here names one, but for the dummy
// method that the tests register themselves.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/select.hpp>
#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>
#include <rankine/tune.hpp>

#include "conformance/dummy_method.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

std::vector<std::string> all_methods() {
  conformance::register_dummy_method();
  std::vector<std::string> names;
  for (const std::string_view name : method_names()) names.emplace_back(name);
  return names;
}

class MethodConformance : public testing::TestWithParam<std::string> {
 protected:
  TrainOptions options() const {
    return {.method = MethodOptions::named(GetParam()), .threads = 2};
  }

  /// Data of every shape that training takes.
  static std::vector<Dataset> data_sets() {
    std::mt19937_64 random(11);
    std::vector<Dataset> sets;
    sets.push_back(oracles::random_dataset(random, {.queries = 40, .features = 6}));
    sets.push_back(oracles::random_dataset(random, {.queries = 15, .levels = 0, .weighted = true}));
    sets.push_back(
        oracles::as_sparse(oracles::random_dataset(random, {.queries = 25, .offset = 1})));
    return sets;
  }

  /// The data, and at its end a query of it once more.
  static Dataset with_query_again(const Dataset& data, std::size_t query) {
    Dataset repeated = data;
    const auto& dense = std::get<DenseMatrix>(data.features);
    std::vector<float> values(dense.values.begin(), dense.values.end());
    std::vector<double> grades(data.grades.begin(), data.grades.end());
    std::vector<std::int64_t> offsets(data.query_offsets.begin(), data.query_offsets.end());
    for (auto row = offsets[query]; row < offsets[query + 1]; ++row) {
      const auto entries = dense.row(row);
      values.insert(values.end(), entries.begin(), entries.end());
      grades.push_back(data.grades[static_cast<std::size_t>(row)]);
    }
    offsets.push_back(static_cast<std::int64_t>(grades.size()));
    repeated.features =
        DenseMatrix{static_cast<std::int64_t>(grades.size()), dense.num_columns, values};
    repeated.grades = grades;
    repeated.query_offsets = offsets;
    return repeated;
  }

  /// The options, and the same with each feature map.
  std::vector<TrainOptions> with_maps() const {
    std::vector<TrainOptions> all{options()};
    for (const Approximation approximation :
         {Approximation::nystroem, Approximation::fourier, Approximation::relu}) {
      all.push_back(options());
      all.back().map.approximation = approximation;
      all.back().map.kernel = approximation == Approximation::relu ? Kernel::linear : Kernel::rbf;
      all.back().map.n_components = 20;
    }
    return all;
  }
};

TEST_P(MethodConformance, gives_the_same_bits_for_any_number_of_threads) {
  for (const Dataset& data : data_sets()) {
    for (TrainOptions wanted : with_maps()) {
      wanted.threads = 1;
      const auto expected = train(data, wanted).model.score(data);
      for (const int threads : {2, 3, 8}) {
        wanted.threads = threads;
        EXPECT_EQ(train(data, wanted).model.score(data), expected) << threads;
      }
    }
  }
}

TEST_P(MethodConformance, saves_a_model_that_loads_with_every_bit) {
  for (const Dataset& data : data_sets()) {
    for (const TrainOptions& wanted : with_maps()) {
      const Model model = train(data, wanted).model;
      const Model loaded = Model::from_bytes(model.bytes(), "m.rkn");
      EXPECT_EQ(loaded, model);
      EXPECT_EQ(loaded.score(data), model.score(data));
    }
  }
}

TEST_P(MethodConformance, records_options_that_repeat_the_training) {
  const Dataset data = data_sets().front();
  for (const TrainOptions& wanted : with_maps()) {
    const Model model = train(data, wanted).model;
    TrainOptions repeated;
    for (const auto& [name, text] : model.options) assign_train_option(repeated, name, text);
    EXPECT_EQ(repeated.method.name(), GetParam());
    EXPECT_EQ(train(data, repeated).model.score(data), model.score(data));
  }
}

TEST_P(MethodConformance, learns_the_same_from_columns_in_another_order) {
  for (const Dataset& data : data_sets()) {
    std::vector<std::int64_t> order;
    for (std::int64_t f = data.num_features() - 1; f >= 0; --f) order.push_back(f);
    const Dataset turned = select_features(data, order);
    const auto expected = train(data, options()).model.score(data);
    const auto found = train(turned, options()).model.score(turned);
    double largest = 0;
    for (const double score : expected) largest = std::max(largest, std::abs(score));
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], expected[k], 1e-3 * largest);
    }
  }
}

TEST_P(MethodConformance, counts_a_query_that_comes_twice_as_one_of_weight_two) {
  if (GetParam() == "sgd") return;  // it draws from another list
  std::mt19937_64 random(13);
  Dataset data = oracles::random_dataset(random, {.queries = 12, .features = 4});
  Dataset weighted = data;
  std::vector<double> weights(12, 1.0);
  weights[3] = 2;
  weighted.query_weights = weights;
  Dataset repeated = with_query_again(data, 3);
  TrainOptions wanted = options();
  wanted.scaling = Scaling::none;  // statistics of columns count documents, not weights
  const auto expected = train(weighted, wanted).model.score(data);
  const auto found = train(repeated, wanted).model.score(data);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-3);
}

TEST_P(MethodConformance, has_a_certificate_that_no_other_weights_go_below) {
  for (const Dataset& data : data_sets()) {
    const TrainResult result = train(data, options());
    if (!std::isfinite(result.report.gap)) continue;
    EXPECT_GE(result.report.gap, 0);
    // The same problem solved far more exactly, where the method can.
    TrainOptions exact = options();
    for (const OptionEntry& entry : train_option_entries(exact)) {
      if (entry.name == "tolerance") entry.assign("1e-12");
      if (entry.name == "epochs") entry.assign("200");
    }
    const TrainResult better = train(data, exact);
    EXPECT_GE(better.report.objective, result.report.objective - result.report.gap -
                                           1e-9 * std::abs(result.report.objective));
  }
}

TEST_P(MethodConformance, ends_where_its_caller_stops_it_with_a_model_or_an_error) {
  const Dataset data = data_sets().front();
  for (int after = 0; after < 6; ++after) {
    int asked = 0;
    try {
      const TrainResult result =
          train(data, options(), [&](const ProgressEvent&) { return asked++ < after; });
      EXPECT_TRUE(std::isfinite(result.report.objective));
      for (const double score : result.model.score(data)) EXPECT_TRUE(std::isfinite(score));
      if (asked > after) {
        EXPECT_EQ(result.report.termination, Termination::interrupted);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
  }
}

TEST_P(MethodConformance, ends_in_time) {
  TrainOptions wanted = options();
  wanted.time_limit = 1e-9;
  try {
    const TrainResult result = train(data_sets().front(), wanted);
    EXPECT_TRUE(result.report.termination == Termination::time_limit ||
                result.report.termination == Termination::converged ||
                result.report.termination == Termination::completed);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("time_limit"), std::string::npos);
  }
}

TEST_P(MethodConformance, has_a_path_that_agrees_with_single_trainings) {
  TrainOptions wanted = options();
  if (wanted.method.path() == nullptr) return;
  const Dataset data = data_sets().front();
  const std::vector<double> values{0.5, 2, 8};
  const auto path = train_path(data, wanted, values);
  ASSERT_EQ(path.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    *wanted.method.path() = values[k];
    const TrainResult alone = train(data, wanted);
    EXPECT_NEAR(path[k].report.objective, alone.report.objective,
                1e-4 * std::abs(alone.report.objective));
    EXPECT_EQ(path[k].model.options, alone.model.options);
  }
}

TEST_P(MethodConformance, is_tuned_over_any_of_its_options) {
  TrainOptions wanted = options();
  TuneOptions tuning;
  tuning.grids.push_back(parse_grid_option(wanted, "scaling=none,standard"));
  if (wanted.method.path() != nullptr) {
    tuning.grids.push_back(
        parse_grid_option(wanted, std::string(wanted.method.path_option()) + "=2^-1..2^1"));
  }
  const Dataset data = data_sets().front();
  const TuneResult result = tune(data, 2, wanted, tuning);
  EXPECT_EQ(result.settings.size(), wanted.method.path() != nullptr ? 6U : 2U);
  EXPECT_EQ(result.options.method.name(), GetParam());
}

TEST_P(MethodConformance, says_what_it_refuses_in_one_line_that_names_no_function) {
  std::mt19937_64 random(3);
  Dataset data = oracles::random_dataset(random, {});
  data.source = "d.txt";
  data.grades = std::vector<double>(static_cast<std::size_t>(data.num_documents()));
  std::vector<TrainOptions> hostile{options(), options(), options()};
  hostile[1].map.approximation = Approximation::fourier;  // of no kernel
  hostile[2].map.kernel = Kernel::precomputed;
  for (const TrainOptions& wanted : hostile) {
    try {
      train(data, wanted);
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos);
      EXPECT_EQ(message.find("()"), std::string::npos) << message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, MethodConformance, testing::ValuesIn(all_methods()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace rankine
