// What every method says of its minimum, against a minimum found another way, over the scales of
// its hyper-parameter and of the features.
#include <cmath>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>

#include "oracles/long_double_minimum.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset scaled_data(double size) {
  std::mt19937_64 random(21);
  Dataset data = oracles::random_dataset(
      random, {.queries = 8, .most_documents = 6, .features = 3, .levels = 3});
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<float> values(dense.values.begin(), dense.values.end());
  for (float& value : values) value *= static_cast<float>(size);
  data.features = DenseMatrix{dense.num_rows, dense.num_columns, values};
  return data;
}

/// Rows as the model's function sees them.
std::vector<std::vector<long double>> seen_rows(const Model& model, const Dataset& data) {
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<std::vector<long double>> rows;
  for (std::int64_t row = 0; row < dense.num_rows; ++row) {
    rows.emplace_back();
    for (std::int64_t f = 0; f < dense.num_columns; ++f) {
      const auto column = static_cast<std::size_t>(f);
      long double value = dense.row(row)[column];
      if (!model.scaling.factor.empty()) value *= model.scaling.factor[column];
      rows.back().push_back(value);
    }
  }
  return rows;
}

std::vector<std::string> methods_with_a_minimum() {
  std::vector<std::string> names;
  for (const std::string_view name : method_names()) names.emplace_back(name);
  return names;
}

class CertificateConformance : public testing::TestWithParam<std::string> {
 protected:
  /// Squared losses over all pairs have their weight on the penalty, the others on the loss.
  bool is_squared() const { return GetParam() == "rls"; }

  TrainOptions options(double strength, Scaling scaling) const {
    TrainOptions wanted{.method = MethodOptions::named(GetParam()), .scaling = scaling};
    assign_train_option(wanted, "normalisation", "none");
    assign_train_option(wanted, is_squared() ? "alpha" : "C", real_text(strength));
    return wanted;
  }
  void expect_honest(const TrainResult& result, const Dataset& data, double strength) const {
    const oracles::LongDoubleMinimum oracle(data, seen_rows(result.model, data), is_squared(),
                                            is_squared() ? strength : 0.5L,
                                            is_squared() ? 1.0L : strength);
    const TrainReport& report = result.report;
    const auto minimum = static_cast<double>(oracle.minimum());
    EXPECT_LE(report.objective - report.gap, minimum * (1 + 1e-12));
    const auto as_saved = static_cast<double>(oracle.objective(
        result.model.function.as<LinearFunction>().weights, result.model.score(data)));
    EXPECT_NEAR(report.objective, as_saved, 1e-6 * as_saved + report.gap);
    EXPECT_LE(report.gap, report.objective);
    EXPECT_GE(report.gap, 0);
  }
};

TEST_P(CertificateConformance, bounds_the_minimum_from_below_over_scales_of_the_regulariser) {
  const Dataset data = scaled_data(1);
  for (const Scaling scaling : {Scaling::none, Scaling::standard}) {
    for (const double strength : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12}) {
      SCOPED_TRACE(real_text(strength) + " " + std::string(name_of(scaling)));
      expect_honest(train(data, options(strength, scaling)), data, strength);
    }
  }
}

TEST_P(CertificateConformance, bounds_the_minimum_from_below_over_scales_of_the_features) {
  for (const double size : {1e-20, 1e-10, 1e-3, 1e3, 1e9, 1e18}) {
    const Dataset data = scaled_data(size);
    for (const Scaling scaling : {Scaling::none, Scaling::standard}) {
      for (const double strength : {1e-6, 1.0, 1e6}) {
        SCOPED_TRACE(real_text(size) + " " + real_text(strength) + " " +
                     std::string(name_of(scaling)));
        expect_honest(train(data, options(strength, scaling)), data, strength);
      }
    }
  }
}

TEST_P(CertificateConformance, is_near_the_minimum_where_nothing_is_extreme) {
  if (GetParam() == "sgd") return;  // a few steps, not a minimum
  const Dataset data = scaled_data(1);
  for (const double strength : {0.01, 1.0, 100.0}) {
    const TrainResult result = train(data, options(strength, Scaling::standard));
    const oracles::LongDoubleMinimum oracle(data, seen_rows(result.model, data), is_squared(),
                                            is_squared() ? strength : 0.5L,
                                            is_squared() ? 1.0L : strength);
    const auto minimum = static_cast<double>(oracle.minimum());
    EXPECT_NEAR(result.report.objective, minimum, 1e-5 * minimum);
    EXPECT_LE(result.report.gap, 1e-2 * minimum);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, CertificateConformance, testing::ValuesIn(methods_with_a_minimum()),
                         [](const auto& each) { return each.param; });

/// Every way to solve RankRLS.
TEST(CertificateConformance, holds_for_every_solver_of_rank_rls) {
  const Dataset data = scaled_data(1);
  for (const std::string_view solver : {"primal", "dual", "cg"}) {
    for (const double alpha : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e6, 1e12}) {
      SCOPED_TRACE(std::string(solver) + " " + real_text(alpha));
      TrainOptions options{
          .method = RlsOptions{.alpha = alpha, .normalisation = Normalisation::none},
          .scaling = Scaling::none};
      assign_train_option(options, "solver", solver);
      const TrainResult result = train(data, options);
      const oracles::LongDoubleMinimum oracle(data, seen_rows(result.model, data), true, alpha, 1);
      const auto minimum = static_cast<double>(oracle.minimum());
      EXPECT_LE(result.report.objective - result.report.gap, minimum * (1 + 1e-12));
      EXPECT_NEAR(result.report.objective, minimum, 1e-6 * minimum);
    }
  }
}

}  // namespace
}  // namespace rankine
