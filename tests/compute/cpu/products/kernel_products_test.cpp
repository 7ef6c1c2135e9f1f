#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/kernel_blocks.hpp"

namespace rankine {
namespace {

using Kind = KernelFormula::Kind;

DenseMatrix random_rows(std::mt19937_64& random, std::int64_t count, std::int64_t width) {
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count * width));
  for (float& value : values) value = random() % 3 == 0 ? 0.0F : normal(random);
  return {count, width, std::move(values)};
}

CsrMatrix sparse_form(const DenseMatrix& dense) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::int64_t r = 0; r < dense.num_rows; ++r) {
    for (std::int64_t f = 0; f < dense.num_columns; ++f) {
      const float value = dense.row(r)[static_cast<std::size_t>(f)];
      if (value == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {dense.num_rows, dense.num_columns, std::move(offsets), std::move(columns),
          std::move(values)};
}

double expected(const KernelFormula& f, std::span<const float> x, std::span<const float> z,
                float phase) {
  double product = 0;
  double squares = 0;
  double absolutes = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double a = k < x.size() ? static_cast<double>(x[k]) : 0;
    const auto b = static_cast<double>(z[k]);
    product += a * b;
    squares += (a - b) * (a - b);
    absolutes += std::abs(a - b);
  }
  const auto gamma = static_cast<double>(f.gamma);
  const auto scale = static_cast<double>(f.scale);
  switch (f.kind) {
    case Kind::product:
      return scale * product;
    case Kind::distance:
      return absolutes;
    case Kind::rbf:
      return std::exp(-gamma * squares);
    case Kind::laplacian:
      return std::exp(-gamma * absolutes);
    case Kind::polynomial:
      return std::pow(gamma * product + static_cast<double>(f.coef0), f.degree);
    case Kind::cosine:
      return scale * std::cos(product + static_cast<double>(phase));
    case Kind::relu:
      return scale * std::max(0.0, product + static_cast<double>(phase));
  }
  return 0;
}

TEST(KernelBlock, equals_the_formula_for_every_function_dense_and_sparse) {
  std::mt19937_64 random(3);
  for (const std::int64_t width : {1, 5, 46}) {
    for (const std::int64_t num_columns : {1, 15, 16, 37}) {
      const DenseMatrix rows = random_rows(random, 23, width);
      const DenseMatrix columns = random_rows(random, num_columns, width);
      std::vector<float> phases;
      for (std::int64_t k = 0; k < num_columns; ++k) {
        phases.push_back(static_cast<float>(k) * 0.3F - 1);
      }
      for (const Kind kind : {Kind::product, Kind::distance, Kind::rbf, Kind::laplacian,
                              Kind::polynomial, Kind::cosine, Kind::relu}) {
        const KernelFormula f{kind, 0.05F, 0.5F, 3, 1.5F};
        const PackedColumns dense_packed(columns, phases);
        const PackedColumns sparse_packed(sparse_form(columns), phases);
        std::vector<float> dense(static_cast<std::size_t>(21 * num_columns));
        std::vector<float> sparse(dense.size());
        kernel_block(rows, 2, 21, dense_packed, f, dense.data());
        kernel_block(sparse_form(rows), 2, 21, sparse_packed, f, sparse.data());
        for (std::int64_t r = 0; r < 21; ++r) {
          for (std::int64_t j = 0; j < num_columns; ++j) {
            const auto at = static_cast<std::size_t>(r * num_columns + j);
            const double truth =
                expected(f, rows.row(2 + r), columns.row(j), phases[static_cast<std::size_t>(j)]);
            const double error = 2e-5 * (1 + std::abs(truth));
            EXPECT_NEAR(static_cast<double>(dense[at]), truth, error);
            EXPECT_NEAR(static_cast<double>(sparse[at]), truth, error);
          }
        }
      }
    }
  }
}

TEST(KernelBlock, has_the_same_bits_however_rows_are_cut) {
  std::mt19937_64 random(4);
  const DenseMatrix rows = random_rows(random, 131, 19);
  const PackedColumns columns(random_rows(random, 40, 19));
  const KernelFormula f{Kind::rbf, 0.1F, 0, 1, 1};
  std::vector<float> whole(131 * 40);
  kernel_block(rows, 0, 131, columns, f, whole.data());
  std::vector<float> pieces(whole.size());
  for (std::int64_t first = 0; first < 131;) {
    const std::int64_t count = std::min<std::int64_t>(131 - first, 1 + first % 9);
    kernel_block(rows, first, count, columns, f, pieces.data() + first * 40);
    first += count;
  }
  EXPECT_EQ(whole, pieces);
}

TEST(KernelBlock, made_in_two_steps_has_the_same_bits) {
  std::mt19937_64 random(6);
  for (const std::int64_t num_columns : {1, 7, 16, 37}) {
    const DenseMatrix dense = random_rows(random, 53, 19);
    const DenseMatrix columns = random_rows(random, num_columns, 19);
    const std::vector<float> phases(static_cast<std::size_t>(num_columns), 0.3F);
    for (const FeatureMatrix& rows : {FeatureMatrix(dense), FeatureMatrix(sparse_form(dense))}) {
      const PackedColumns packed(columns, phases);
      for (const Kind kind : {Kind::product, Kind::distance, Kind::rbf, Kind::laplacian,
                              Kind::polynomial, Kind::cosine, Kind::relu}) {
        const KernelFormula f{kind, 0.07F, 0.5F, 3, 1.5F};
        std::vector<float> at_once(static_cast<std::size_t>(50 * num_columns));
        std::vector<float> in_steps(at_once.size());
        std::vector<float> norms(50);
        kernel_block(rows, 3, 50, packed, f, at_once.data());
        kernel_block(rows, 3, 50, packed, unfinished(f), in_steps.data());
        squared_norms(rows, 3, 50, norms.data());
        finish_block(norms, packed, f, in_steps.data());
        EXPECT_EQ(at_once, in_steps) << static_cast<int>(kind);
      }
    }
  }
}

TEST(KernelBlock, takes_features_that_rows_lack_as_0) {
  std::mt19937_64 random(5);
  const DenseMatrix rows = random_rows(random, 8, 3);
  const DenseMatrix columns = random_rows(random, 6, 5);
  for (const Kind kind : {Kind::rbf, Kind::laplacian, Kind::polynomial}) {
    const KernelFormula f{kind, 0.2F, 1, 2, 1};
    std::vector<float> values(48);
    kernel_block(rows, 0, 8, PackedColumns(columns), f, values.data());
    for (std::int64_t r = 0; r < 8; ++r) {
      for (std::int64_t j = 0; j < 6; ++j) {
        const double truth = expected(f, rows.row(r), columns.row(j), 0);
        EXPECT_NEAR(static_cast<double>(values[static_cast<std::size_t>(r * 6 + j)]), truth,
                    1e-5 * (1 + std::abs(truth)));
      }
    }
  }
}

}  // namespace
}  // namespace rankine
