#include "compute/cpu/kernel_matrix.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

DenseMatrix random_rows(std::int64_t count, std::int64_t width) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count * width));
  for (float& value : values) value = normal(random);
  return {count, width, std::move(values)};
}

const KernelFormula kRbf{KernelFormula::Kind::rbf, 0.1F, 0, 1, 1};

TEST(KernelMatrix, product_is_that_of_all_pairs_kept_or_made_or_given) {
  for (const std::int64_t size : {1, 255, 256, 700}) {
    const FeatureMatrix rows = random_rows(size, 4);
    const auto& dense = std::get<DenseMatrix>(rows);
    std::vector<double> vector;
    for (std::int64_t k = 0; k < size; ++k) vector.push_back(std::sin(static_cast<double>(k)));
    std::vector<float> all;
    std::vector<double> expected(vector.size());
    for (std::int64_t a = 0; a < size; ++a) {
      for (std::int64_t b = 0; b < size; ++b) {
        double distance = 0;
        for (std::size_t f = 0; f < 4; ++f) {
          const double apart =
              static_cast<double>(dense.row(a)[f]) - static_cast<double>(dense.row(b)[f]);
          distance += apart * apart;
        }
        const double value = std::exp(-0.1 * distance);
        all.push_back(static_cast<float>(value));
        expected[static_cast<std::size_t>(a)] += value * vector[static_cast<std::size_t>(b)];
      }
    }
    const DenseMatrix given{size, size, std::move(all)};
    std::vector<double> kept(vector.size());
    std::vector<double> made(vector.size());
    std::vector<double> out(vector.size());
    KernelMatrix(rows, kRbf, true, 2).times(vector, kept);
    KernelMatrix(rows, kRbf, false, 2).times(vector, made);
    KernelMatrix(given, 1).times(vector, out);
    EXPECT_EQ(kept, made);
    for (std::size_t k = 0; k < vector.size(); ++k) {
      EXPECT_NEAR(kept[k], expected[k], 1e-4);
      EXPECT_NEAR(out[k], expected[k], 1e-5);
    }
  }
}

TEST(KernelMatrix, from_products_or_distances_has_the_same_bits_as_from_rows) {
  using Kind = KernelFormula::Kind;
  for (const std::int64_t size : {1, 255, 256, 700}) {
    const FeatureMatrix rows = random_rows(size, 5);
    const std::vector<double> vector(static_cast<std::size_t>(size), 0.7);
    for (const Kind kind : {Kind::rbf, Kind::laplacian, Kind::polynomial}) {
      KernelFormula function{kind, 0, 0.5F, 3, 1};
      const KernelMatrix products(rows, unfinished(function), true, 2);
      for (const float gamma : {0.1F, 0.003F}) {
        function.gamma = gamma;
        std::vector<double> expected(vector.size());
        std::vector<double> out(vector.size());
        KernelMatrix(rows, function, true, 1).times(vector, expected);
        KernelMatrix(products, function, 2).times(vector, out);
        EXPECT_EQ(out, expected);
      }
    }
  }
}

TEST(KernelMatrix, product_has_the_same_bits_for_any_number_of_threads) {
  const FeatureMatrix rows = random_rows(900, 3);
  const std::vector<double> vector(900, 0.7);
  std::vector<double> one(900);
  std::vector<double> many(900);
  KernelMatrix(rows, kRbf, true, 1).times(vector, one);
  KernelMatrix(rows, kRbf, true, 5).times(vector, many);
  EXPECT_EQ(one, many);
}

}  // namespace
}  // namespace rankine
