#include "features/feature_map.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "features/random_rows.hpp"

namespace rankine {
namespace {

std::string message_of(const FeatureMapOptions& options) {
  try {
    check_feature_map(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CheckFeatureMap, refuses_what_has_no_such_features) {
  FeatureMapOptions options;
  options.kernel = Kernel::polynomial;
  options.approximation = Approximation::fourier;
  EXPECT_EQ(message_of(options),
            "approximation = 'fourier' is for kernel = rbf or laplacian, not polynomial");
  options.kernel = Kernel::laplacian;
  EXPECT_EQ(message_of(options), "no error");
  options.fourier = Fourier::orthogonal;
  EXPECT_EQ(message_of(options), "fourier = 'orthogonal' is for kernel = rbf, not laplacian");
  options = {};
  options.approximation = Approximation::relu;
  EXPECT_EQ(message_of(options), "no error");
  options.kernel = Kernel::rbf;
  EXPECT_EQ(message_of(options), "approximation = 'relu' is for kernel = linear, not rbf");
}

TEST(MapRows, equals_rows_made_when_needed_for_any_number_of_threads) {
  const FeatureMatrix rows = random_rows(500, 6);
  FeatureMapOptions options;
  options.kernel = Kernel::rbf;
  options.gamma = 0.1;
  options.n_components = 50;
  for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
    options.approximation = how;
    MapReport report;
    const auto map = fit_feature_map(options, rows, 1, 1, report);
    const DenseMatrix kept = map_rows(*map, rows, 1);
    const DenseMatrix threaded = map_rows(*map, rows, 4);
    const MappedRows maker(*map, rows);
    std::vector<float> made(static_cast<std::size_t>(500 * map->num_components()));
    maker.make(0, 500, made.data());
    for (std::size_t k = 0; k < made.size(); ++k) {
      EXPECT_EQ(kept.values[k], threaded.values[k]);
      EXPECT_NEAR(kept.values[k], made[k], 1e-4F);
    }
  }
}

}  // namespace
}  // namespace rankine
