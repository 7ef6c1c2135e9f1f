#include "features/random_features.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"

namespace rankine {
namespace {

FeatureMapOptions options(Kernel kernel, Fourier how, std::int64_t components) {
  FeatureMapOptions wanted;
  wanted.kernel = kernel;
  wanted.gamma = 0.1;
  wanted.approximation = Approximation::fourier;
  wanted.fourier = how;
  wanted.n_components = components;
  return wanted;
}

/// The root mean square error of phi(x) . phi(z) over pairs of rows.
double kernel_error(const FeatureMapOptions& wanted, const DenseMatrix& rows,
                    const std::vector<double>& gram, std::uint64_t seed) {
  MapReport report;
  const auto map = fit_feature_map(wanted, rows, seed, 1, report);
  const DenseMatrix mapped = map_rows(*map, rows, 2);
  double sum = 0;
  const std::int64_t n = rows.num_rows;
  for (std::int64_t a = 0; a < n; ++a) {
    for (std::int64_t b = 0; b < n; ++b) {
      double product = 0;
      for (std::size_t k = 0; k < mapped.row(a).size(); ++k) {
        product += static_cast<double>(mapped.row(a)[k]) * static_cast<double>(mapped.row(b)[k]);
      }
      const double apart = product - gram[static_cast<std::size_t>(a * n + b)];
      sum += apart * apart;
    }
  }
  return std::sqrt(sum / static_cast<double>(n * n));
}

TEST(RandomFourier, error_falls_as_one_over_the_root_of_the_features) {
  const DenseMatrix rows = random_rows(24, 6);
  for (const Kernel kernel : {Kernel::rbf, Kernel::laplacian}) {
    const auto gram = kernel_gram({.kind = kernel, .gamma = 0.1}, rows, 1);
    for (const Fourier how : {Fourier::plain, Fourier::paired}) {
      double few = 0;
      double many = 0;
      for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        few += kernel_error(options(kernel, how, 200), rows, gram, seed) / 4;
        many += kernel_error(options(kernel, how, 3200), rows, gram, seed) / 4;
      }
      EXPECT_LT(few, 1.2 / std::sqrt(200.0));
      EXPECT_NEAR(few / many, 4, 1.5);
    }
  }
}

TEST(RandomFourier, orthogonal_frequencies_err_less_than_independent_ones) {
  const DenseMatrix rows = random_rows(40, 16);
  const auto gram = kernel_gram({.kind = Kernel::rbf, .gamma = 0.1}, rows, 1);
  double independent = 0;
  double orthogonal = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    independent += kernel_error(options(Kernel::rbf, Fourier::paired, 320), rows, gram, seed);
    orthogonal += kernel_error(options(Kernel::rbf, Fourier::orthogonal, 320), rows, gram, seed);
  }
  EXPECT_LT(orthogonal, 0.95 * independent);
}

TEST(ReluFeatures, approximate_the_arc_cosine_kernel_of_rows_with_a_1_appended) {
  const DenseMatrix rows = random_rows(12, 3);
  FeatureMapOptions wanted;
  wanted.approximation = Approximation::relu;
  wanted.n_components = 40'000;
  MapReport report;
  const auto map = fit_feature_map(wanted, rows, 5, 1, report);
  const DenseMatrix mapped = map_rows(*map, rows, 1);
  for (std::int64_t a = 0; a < 12; ++a) {
    for (std::int64_t b = 0; b < 12; ++b) {
      double product = 1;
      double first = 1;
      double second = 1;
      for (std::size_t f = 0; f < 3; ++f) {
        const auto x = static_cast<double>(rows.row(a)[f]);
        const auto z = static_cast<double>(rows.row(b)[f]);
        product += x * z;
        first += x * x;
        second += z * z;
      }
      const double lengths = std::sqrt(first * second);
      const double angle = std::acos(std::min(1.0, product / lengths));
      const double expected = lengths / std::numbers::pi *
                              (std::sin(angle) + (std::numbers::pi - angle) * std::cos(angle));
      double found = 0;
      for (std::size_t k = 0; k < mapped.row(a).size(); ++k) {
        found += static_cast<double>(mapped.row(a)[k]) * static_cast<double>(mapped.row(b)[k]);
      }
      EXPECT_NEAR(found, expected, 0.05 * lengths);
    }
  }
}

TEST(RandomFeatures, a_draw_depends_on_seed_and_index_alone) {
  const DenseMatrix rows = random_rows(5, 4);
  const auto functions = [&](std::int64_t components, std::uint64_t seed) {
    MapReport report;
    const auto map =
        fit_feature_map(options(Kernel::rbf, Fourier::plain, components), rows, seed, 1, report);
    return map->fold(std::vector<double>(static_cast<std::size_t>(components), 1.0))
        .as<RandomFunction>();
  };
  const auto few = functions(10, 1);
  const auto more = functions(20, 1);
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_EQ(few.frequencies.values[k], more.frequencies.values[k]);
  }
  EXPECT_NE(functions(10, 2).frequencies.values[0], few.frequencies.values[0]);
}

}  // namespace
}  // namespace rankine
