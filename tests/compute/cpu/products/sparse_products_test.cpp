#include "compute/cpu/products/sparse_products.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/products/dense_products.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(SparseProducts, equal_those_of_the_dense_form) {
  std::mt19937_64 random(5);
  const Dataset dense = oracles::random_dataset(random, {.queries = 3, .features = 13});
  const Dataset sparse = oracles::as_sparse(dense);
  const auto& matrix = std::get<CsrMatrix>(sparse.features);
  const auto& rows = std::get<DenseMatrix>(dense.features);
  const std::vector<double> vector(13, 0.75);
  constexpr std::int64_t kFirst = 1;
  const auto count = static_cast<std::size_t>(rows.num_rows - kFirst);
  std::vector<double> fast(count);
  std::vector<double> expected(count);
  row_products(matrix, kFirst, vector, fast);
  row_products(rows.row(kFirst).data(), vector, expected);
  for (std::size_t r = 0; r < count; ++r) EXPECT_NEAR(fast[r], expected[r], 1e-12);
  std::vector<double> sum(13);
  std::vector<double> expected_sum(13);
  add_weighted_rows(matrix, kFirst, expected, sum);
  add_weighted_rows(rows.row(kFirst).data(), expected, expected_sum);
  for (std::size_t f = 0; f < 13; ++f) EXPECT_NEAR(sum[f], expected_sum[f], 1e-10);
}

}  // namespace
}  // namespace rankine
