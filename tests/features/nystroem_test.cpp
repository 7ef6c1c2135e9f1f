#include "features/nystroem.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"

namespace rankine {
namespace {

FeatureMapOptions options(std::int64_t components) {
  FeatureMapOptions wanted;
  wanted.kernel = Kernel::rbf;
  wanted.gamma = 0.2;
  wanted.approximation = Approximation::nystroem;
  wanted.n_components = components;
  return wanted;
}

TEST(Nystroem, with_every_document_a_landmark_reproduces_the_kernel) {
  const DenseMatrix rows = random_rows(60, 4);
  for (const Kernel kernel : {Kernel::rbf, Kernel::laplacian, Kernel::polynomial, Kernel::linear}) {
    for (const std::int64_t rank : {0, 60}) {
      FeatureMapOptions wanted = options(60);
      wanted.kernel = kernel;
      wanted.rank = rank;
      MapReport report;
      const auto map = fit_feature_map(wanted, rows, 1, 2, report);
      const DenseMatrix mapped = map_rows(*map, rows, 2);
      const auto gram = kernel_gram(kernel_of(wanted, rows, 1), rows, 1);
      EXPECT_NEAR(report.unexplained, 0, 1e-5);
      for (std::int64_t a = 0; a < 60; ++a) {
        for (std::int64_t b = 0; b < 60; ++b) {
          double product = 0;
          for (std::size_t k = 0; k < mapped.row(a).size(); ++k) {
            product +=
                static_cast<double>(mapped.row(a)[k]) * static_cast<double>(mapped.row(b)[k]);
          }
          const double value = gram[static_cast<std::size_t>(a * 60 + b)];
          EXPECT_NEAR(product, value, 3e-3 * (1 + std::abs(value)));
        }
      }
    }
  }
}

TEST(Nystroem, folds_weights_into_a_function_with_the_same_scores) {
  const DenseMatrix rows = random_rows(80, 4);
  for (const std::int64_t rank : {0, 12}) {
    FeatureMapOptions wanted = options(30);
    wanted.rank = rank;
    MapReport report;
    const auto map = fit_feature_map(wanted, rows, 1, 1, report);
    EXPECT_EQ(map->num_components(), rank > 0 ? 12 : report.rank);
    std::vector<double> weights;
    for (std::int64_t k = 0; k < map->num_components(); ++k) {
      weights.push_back(std::cos(static_cast<double>(k)));
    }
    const auto function = map->fold(weights).as<KernelFunction>();
    const DenseMatrix mapped = map_rows(*map, rows, 1);
    for (std::int64_t r = 0; r < 80; ++r) {
      double expected = 0;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        expected += weights[k] * static_cast<double>(mapped.row(r)[k]);
      }
      std::vector<float> block(function.weights.size());
      kernel_block(rows, r, 1, PackedColumns(function.landmarks), kernel_formula(function.kernel),
                   block.data());
      double score = 0;
      for (std::size_t k = 0; k < block.size(); ++k) {
        score += function.weights[k] * static_cast<double>(block[k]);
      }
      EXPECT_NEAR(score, expected, 2e-3);
    }
  }
}

TEST(Nystroem, keeps_fewer_directions_for_a_wider_kernel) {
  const DenseMatrix rows = random_rows(300, 5);
  std::int64_t last = 0;
  for (const double gamma : {1e-4, 1e-2, 1.0}) {
    FeatureMapOptions wanted = options(200);
    wanted.gamma = gamma;
    MapReport report;
    const auto map = fit_feature_map(wanted, rows, 1, 1, report);
    EXPECT_EQ(report.components, 200);
    EXPECT_EQ(report.rank, map->num_components());
    EXPECT_GT(report.rank, last);
    last = report.rank;
  }
}

TEST(Nystroem, of_a_precomputed_kernel_is_linear_in_its_columns) {
  const DenseMatrix rows = random_rows(40, 4);
  const KernelSpec rbf{.kind = Kernel::rbf, .gamma = 0.2};
  const auto gram = kernel_gram(rbf, rows, 1);
  const DenseMatrix kernel{40, 40, std::vector<float>(gram.begin(), gram.end())};
  FeatureMapOptions wanted = options(25);
  wanted.kernel = Kernel::precomputed;
  MapReport report;
  const auto map = fit_feature_map(wanted, kernel, 1, 1, report);
  std::vector<double> weights(static_cast<std::size_t>(map->num_components()), 0.5);
  const auto linear = map->fold(weights).as<LinearFunction>();
  const DenseMatrix mapped = map_rows(*map, kernel, 1);
  for (std::int64_t r = 0; r < 40; ++r) {
    double expected = 0;
    for (const float value : mapped.row(r)) expected += 0.5 * static_cast<double>(value);
    double score = 0;
    for (std::size_t k = 0; k < 40; ++k) {
      score += linear.weights[k] * static_cast<double>(kernel.row(r)[k]);
    }
    EXPECT_NEAR(score, expected, 2e-3);
  }
  wanted.landmarks = Landmarks::kmeans;
  EXPECT_THROW(fit_feature_map(wanted, kernel, 1, 1, report), Error);
}

}  // namespace
}  // namespace rankine
