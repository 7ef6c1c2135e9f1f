#include "features/kernel.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "features/landmarks.hpp"
#include "features/random_rows.hpp"
#include "oracles/random_dataset.hpp"
#include "oracles/thread_collective.hpp"

namespace rankine {
namespace {

const std::vector<KernelSpec> kKernels{{Kernel::linear, 1, 1, 0},
                                       {Kernel::rbf, 0.2, 1, 0},
                                       {Kernel::laplacian, 0.3, 1, 0},
                                       {Kernel::polynomial, 0.5, 3, 1}};

TEST(KernelValue, is_the_formula) {
  const FeatureMatrix rows = DenseMatrix{2, 3, std::vector<float>{1, 0, 2, 3, -1, 0}};
  EXPECT_DOUBLE_EQ(kernel_value(kKernels[0], rows, 0, 1), 3);
  EXPECT_DOUBLE_EQ(kernel_value(kKernels[1], rows, 0, 1), std::exp(-0.2 * 9));
  EXPECT_DOUBLE_EQ(kernel_value(kKernels[2], rows, 0, 1), std::exp(-0.3 * 5));
  EXPECT_DOUBLE_EQ(kernel_value(kKernels[3], rows, 0, 1), 2.5 * 2.5 * 2.5);
}

TEST(KernelGram, is_the_same_dense_and_sparse_and_near_the_single_precision_blocks) {
  const DenseMatrix dense = random_rows(30, 6);
  for (const KernelSpec& kernel : kKernels) {
    const auto gram = kernel_gram(kernel, dense, 2);
    const auto sparse = kernel_gram(kernel, sparse_form(dense), 1);
    std::vector<float> block(900);
    kernel_block(dense, 0, 30, PackedColumns(dense), kernel_formula(kernel), block.data());
    for (std::size_t k = 0; k < 900; ++k) {
      EXPECT_NEAR(gram[k], sparse[k], 1e-12 * (1 + std::abs(gram[k])));
      EXPECT_NEAR(gram[k], static_cast<double>(block[k]), 1e-4 * (1 + std::abs(gram[k])));
    }
  }
}

TEST(KernelGram, from_comparisons_that_no_gamma_changes_has_the_same_bits) {
  const DenseMatrix dense = random_rows(30, 6);
  for (const FeatureMatrix& rows : {FeatureMatrix(dense), FeatureMatrix(sparse_form(dense))}) {
    for (KernelSpec kernel : kKernels) {
      const auto comparisons = row_comparisons(kernel.kind, rows, 2);
      for (const double gamma : {0.01, 0.7}) {
        kernel.gamma = gamma;
        EXPECT_EQ(kernel_gram(kernel, comparisons, 30, 2), kernel_gram(kernel, rows, 1));
      }
    }
  }
}

TEST(StackRows, puts_one_matrix_under_the_other) {
  const DenseMatrix dense = random_rows(9, 4);
  for (const FeatureMatrix& rows : {FeatureMatrix(dense), FeatureMatrix(sparse_form(dense))}) {
    const auto part = [&](std::vector<std::int64_t> chosen) { return take_rows(rows, chosen); };
    const FeatureMatrix stacked =
        stack_rows(std::vector<FeatureMatrix>{part({0, 1, 2}), part({}), part({3, 4, 5, 6, 7, 8})});
    EXPECT_EQ(num_rows(stacked), 9);
    EXPECT_EQ(kernel_gram(kKernels[1], stacked, 1), kernel_gram(kKernels[1], rows, 1));
  }
}

TEST(TakeRows, keeps_order_and_storage) {
  const DenseMatrix dense = random_rows(9, 4);
  const std::vector<std::int64_t> chosen{7, 0, 7, 3};
  const FeatureMatrix taken = take_rows(dense, chosen);
  const FeatureMatrix sparse = take_rows(sparse_form(dense), chosen);
  ASSERT_TRUE(std::holds_alternative<CsrMatrix>(sparse));
  for (std::int64_t r = 0; r < 4; ++r) {
    const auto expected = dense.row(chosen[static_cast<std::size_t>(r)]);
    const auto row = std::get<DenseMatrix>(taken).row(r);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), expected.begin()));
    EXPECT_DOUBLE_EQ(kernel_value(kKernels[0], sparse, r, r),
                     kernel_value(kKernels[0], taken, r, r));
  }
}

TEST(DataGamma, is_one_over_the_median_distance) {
  // Distances are 0 or 4 (squared) and 0 or 2: two places, far more rows at one of them.
  std::vector<float> values(40);
  for (std::size_t k = 0; k < 20; ++k) values[2 * k] = k % 2 == 0 ? 0.0F : 2.0F;
  const DenseMatrix rows{20, 2, std::move(values)};
  EXPECT_DOUBLE_EQ(data_gamma(Kernel::rbf, rows, 1), 0.25);
  EXPECT_DOUBLE_EQ(data_gamma(Kernel::laplacian, rows, 1), 0.5);
  EXPECT_NEAR(data_gamma(Kernel::polynomial, rows, 1), 0.5, 0.1);
  EXPECT_EQ(data_gamma(Kernel::rbf, DenseMatrix{3, 1, std::vector<float>{5, 5, 5}}, 1), 1);
  EXPECT_EQ(data_gamma(Kernel::rbf, DenseMatrix{1, 1, std::vector<float>{5}}, 1), 1);
}

TEST(GatherRows, are_those_of_all_processes_and_so_are_gamma_and_landmarks) {
  std::mt19937_64 random(9);
  const Dataset dense = oracles::random_dataset(random, {.queries = 120});
  const std::vector<std::int64_t> wanted{5, 900, 0, 5, 301};
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    const FeatureMatrix expected = take_rows(data.features, wanted);
    const double gamma = data_gamma(Kernel::rbf, data.features, 3);
    const KernelSpec kernel{Kernel::rbf, gamma, 1, 0};
    const auto landmarks = choose_landmarks(data.features, kernel, Landmarks::rpcholesky, 20, 3, 1);
    for (const std::size_t size : {2U, 3U, 7U}) {
      const auto ends = oracles::uneven_ends(static_cast<std::size_t>(data.num_queries()), size, 2);
      oracles::as_processes(size, [&](Collective& collective) {
        const Dataset shard = oracles::shard_of(data, ends, 1, collective);
        const FeatureMatrix found = gather_rows(shard.features, wanted, collective);
        ASSERT_EQ(num_rows(found), num_rows(expected));
        for (std::int64_t a = 0; a < num_rows(found); ++a) {
          EXPECT_EQ(kernel_value(kernel, found, a, 0), kernel_value(kernel, expected, a, 0));
        }
        EXPECT_EQ(data_gamma(Kernel::rbf, shard.features, 3, collective), gamma);
        EXPECT_EQ(
            choose_landmarks(shard.features, kernel, Landmarks::rpcholesky, 20, 3, 2, collective),
            landmarks);
      });
    }
  }
}

}  // namespace
}  // namespace rankine
