#include "features/kernel_product_cache.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "compute/cpu/kernel_matrix.hpp"
#include "compute/registry.hpp"
#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "features/landmarks.hpp"
#include "features/random_rows.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kRows = 200;
constexpr std::int64_t kWidth = 70;
const std::vector<Kernel> kKernels{Kernel::rbf, Kernel::laplacian, Kernel::polynomial,
                                   Kernel::linear};

FeatureMatrix some_rows(bool sparse, std::int64_t width = kWidth) {
  const DenseMatrix dense = random_rows(kRows, width);
  return sparse ? FeatureMatrix(sparse_form(dense)) : FeatureMatrix(dense);
}

std::shared_ptr<MemoryBudget> gigabyte() {
  return std::make_shared<MemoryBudget>(1e9);
}

std::vector<float> values_of(const DenseMatrix& matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

FeatureMapOptions options(Kernel kernel, Landmarks landmarks, std::int64_t rank) {
  FeatureMapOptions wanted;
  wanted.kernel = kernel;
  wanted.approximation = Approximation::nystroem;
  wanted.n_components = 40;
  wanted.landmarks = landmarks;
  wanted.rank = rank;
  wanted.rank_tolerance = 1e-4;
  wanted.coef0 = 0.5;
  return wanted;
}

/// What is seen of a map: its report, its rows, and a function folded from weights.
auto seen_of(const FeatureMapOptions& wanted, const FeatureMatrix& rows, int threads,
             KernelProductCache* kept) {
  MapReport report;
  const auto map = fit_feature_map(wanted, rows, 3, threads, report, kept);
  const std::vector<double> weights(static_cast<std::size_t>(map->num_components()), 0.5);
  return std::tuple(report, values_of(map_rows(*map, rows, threads)), map->fold(weights));
}

TEST(KernelProductCache, give_maps_of_successive_gammas_the_same_bits_as_none) {
  for (const bool sparse : {false, true}) {
    const FeatureMatrix rows = some_rows(sparse);
    const auto budget = gigabyte();
    KernelProductCache kept(rows, budget, 15, 2);
    for (const Kernel kernel : kKernels) {
      for (const Landmarks how : {Landmarks::uniform, Landmarks::kmeans, Landmarks::rpcholesky}) {
        for (const std::int64_t rank : {0, 15}) {
          FeatureMapOptions wanted = options(kernel, how, rank);
          for (const double gamma : {0.001, 0.0001, 0.02}) {  // more pivots, fewer, many more
            wanted.gamma = gamma;
            const auto alone = seen_of(wanted, rows, 1, nullptr);
            EXPECT_EQ(seen_of(wanted, kept.rows(), 1, &kept), alone);
            EXPECT_EQ(seen_of(wanted, kept.rows(), 2, &kept), alone);
          }
        }
      }
    }
    EXPECT_LT(budget->left(), 1e9 - 4 * kRows * 40);
  }
}

TEST(KernelProductCache, serve_maps_that_threads_make_side_by_side) {
  const FeatureMatrix rows = some_rows(false);
  KernelProductCache kept(rows, gigabyte(), 15, 1);
  std::vector<FeatureMapOptions> wanted;
  for (int k = 0; k < 12; ++k) {
    wanted.push_back(options(k % 2 == 0 ? Kernel::rbf : Kernel::laplacian, Landmarks::kmeans, 0));
    wanted.back().gamma = 0.0005 * (1 + k % 4);
  }
  std::vector<decltype(seen_of(wanted[0], rows, 1, nullptr))> made(wanted.size());
  parallel_for(static_cast<std::int64_t>(wanted.size()), 4, [&](std::int64_t k) {
    const auto index = static_cast<std::size_t>(k);
    made[index] = seen_of(wanted[index], kept.rows(), 1, &kept);
  });
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(made[k], seen_of(wanted[k], rows, 1, nullptr)) << k;
  }
}

TEST(KernelProductCache, add_only_the_landmarks_that_are_new) {
  const FeatureMatrix rows = some_rows(false);
  const auto budget = gigabyte();
  const KernelSpec rbf{.kind = Kernel::rbf, .gamma = 0.1};
  const double each = sizeof(float) * (kRows + 2.0 * kWidth);
  {
    KernelProductCache kept(rows, budget, 15, 1);
    const auto landmarks = [&](std::vector<std::int64_t> chosen) {
      return take_rows(rows, chosen);
    };
    EXPECT_NE(kept.columns(rbf, landmarks({1, 2, 3})), nullptr);
    EXPECT_DOUBLE_EQ(budget->left(), 1e9 - 3 * each);
    EXPECT_NE(kept.columns({.kind = Kernel::rbf, .gamma = 2}, landmarks({3, 1})), nullptr);
    EXPECT_NE(kept.columns({Kernel::polynomial, 1, 3, 1}, landmarks({2})), nullptr);
    EXPECT_DOUBLE_EQ(budget->left(), 1e9 - 3 * each);
    EXPECT_NE(kept.columns(rbf, landmarks({5, 2})), nullptr);
    EXPECT_DOUBLE_EQ(budget->left(), 1e9 - 4 * each);
    EXPECT_NE(kept.columns({.kind = Kernel::laplacian}, landmarks({5})), nullptr);
    EXPECT_DOUBLE_EQ(budget->left(), 1e9 - 5 * each);
  }
  EXPECT_DOUBLE_EQ(budget->left(), 1e9);
}

TEST(KernelProductCache, keep_nothing_beyond_their_memory_and_give_the_same) {
  const FeatureMatrix rows = some_rows(true);
  for (const double bytes : {0.0, 1e5}) {  // nothing, or the comparisons of the landmarks alone
    const auto budget = std::make_shared<MemoryBudget>(bytes);
    KernelProductCache kept(rows, budget, 15, 1);
    FeatureMapOptions wanted = options(Kernel::rbf, Landmarks::uniform, 0);
    for (const double gamma : {0.001, 0.0005}) {
      wanted.gamma = gamma;
      EXPECT_EQ(seen_of(wanted, kept.rows(), 1, &kept), seen_of(wanted, rows, 1, nullptr));
    }
    EXPECT_EQ(budget->left() < bytes, bytes > 0);
    EXPECT_GE(budget->left(), 0);
    EXPECT_EQ(kept.columns({.kind = Kernel::rbf}, rows), nullptr);
  }
}

TEST(KernelProductCache, keep_products_where_that_costs_less_than_computing_them) {
  const KernelSpec rbf{.kind = Kernel::rbf};
  const KernelSpec laplacian{.kind = Kernel::laplacian};
  const auto is_worth = [](const FeatureMatrix& rows, const KernelSpec& kernel,
                           std::size_t num_uses) {
    return KernelProductCache(rows, gigabyte(), num_uses, 1).is_worth_keeping(kernel);
  };
  EXPECT_FALSE(is_worth(some_rows(false, 46), rbf, 15));
  EXPECT_TRUE(is_worth(some_rows(false, 46), laplacian, 15));
  EXPECT_TRUE(is_worth(some_rows(false, 136), rbf, 15));
  EXPECT_FALSE(is_worth(some_rows(false, 136), rbf, 2));
  EXPECT_TRUE(is_worth(some_rows(false, 220), rbf, 2));
  EXPECT_FALSE(is_worth(some_rows(false, 500), rbf, 1));
  EXPECT_FALSE(is_worth(some_rows(true, 15), rbf, 15));  // 10 of them are stored
  EXPECT_TRUE(is_worth(some_rows(true, 30), rbf, 15));
  EXPECT_FALSE(is_worth(some_rows(false, 136), {.kind = Kernel::precomputed}, 15));
  KernelProductCache few(some_rows(false, 46), gigabyte(), 15, 1);
  EXPECT_EQ(few.columns(rbf, few.rows()), nullptr);
  EXPECT_EQ(few.matrix(rbf, default_backend(), 1), nullptr);
}

TEST(KernelProductCache, have_the_matrix_of_an_exact_kernel_in_memory_of_one) {
  const FeatureMatrix rows = some_rows(false);
  const double bytes = KernelMatrix::num_bytes(kRows) + 4.0 * kRows * kWidth;
  const std::vector<double> vector(kRows, 0.3);
  const auto budget = std::make_shared<MemoryBudget>(bytes);
  KernelProductCache kept(rows, budget, 15, 1);
  for (const double gamma : {0.01, 0.002}) {
    const KernelSpec kernel{.kind = Kernel::rbf, .gamma = gamma};
    const auto matrix = kept.matrix(kernel, default_backend(), 2);
    ASSERT_NE(matrix, nullptr);
    std::vector<double> expected(kRows);
    std::vector<double> out(kRows);
    KernelMatrix(rows, kernel_formula(kernel), true, 1).times(vector, expected);
    matrix->times(vector, out);
    EXPECT_EQ(out, expected);
    EXPECT_DOUBLE_EQ(budget->left(), 0);
  }
  EXPECT_EQ(kept.matrix({.kind = Kernel::laplacian}, default_backend(), 1), nullptr);
}

TEST(KeptColumns, have_the_bits_of_kernel_block_for_any_rows) {
  for (const bool sparse : {false, true}) {
    const FeatureMatrix rows = some_rows(sparse);
    KernelProductCache kept(rows, gigabyte(), 15, 1);
    const std::vector<std::int64_t> chosen{7, 90, 3, 7, 151};  // one of them twice
    const FeatureMatrix landmarks = take_rows(rows, chosen);
    const PackedColumns packed(landmarks);
    for (const Kernel kind : kKernels) {
      const KernelSpec kernel{kind, 0.01, 2, 0.5};
      const auto columns = kept.columns(kernel, landmarks);
      ASSERT_NE(columns, nullptr);
      for (const auto& [first, count] : {std::pair(90, 20), std::pair(0, 200), std::pair(199, 1)}) {
        std::vector<float> expected(static_cast<std::size_t>(5 * count));
        std::vector<float> block(expected.size());
        kernel_block(rows, first, count, packed, kernel_formula(kernel), expected.data());
        columns->block(first, count, packed, kernel_formula(kernel), block.data());
        EXPECT_EQ(block, expected);
      }
    }
  }
}

}  // namespace
}  // namespace rankine
