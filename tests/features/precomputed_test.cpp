#include "features/precomputed.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

Dataset kernel_data(std::vector<float> values, std::int64_t documents, std::int64_t columns) {
  Dataset data;
  data.source = "kernel.txt";
  data.features = DenseMatrix{documents, columns, std::move(values)};
  data.grades = std::vector<double>(static_cast<std::size_t>(documents));
  return data;
}

std::string message_of(const Dataset& data) {
  try {
    checked_precomputed(data, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CheckedPrecomputed, refuses_what_is_no_kernel) {
  EXPECT_EQ(message_of(kernel_data({2, 1, 1, 2}, 2, 2)), "no error");
  EXPECT_EQ(message_of(kernel_data({1, 2, 3}, 1, 3)),
            "kernel.txt: a precomputed kernel must be square: 1 documents have 3 features");
  EXPECT_EQ(
      message_of(kernel_data({2, 1, 0.5, 2}, 2, 2)),
      "kernel.txt: a precomputed kernel must be symmetric: rows 2 and 1 have 0.5 and 1 for each "
      "other");
  EXPECT_EQ(
      message_of(kernel_data({1, 2, 2, 1}, 2, 2)).substr(0, 90),
      "kernel.txt: a precomputed kernel must be positive semi-definite, and this one has an eigen");
}

TEST(CheckedPrecomputed, puts_columns_in_the_order_of_the_gathered_documents) {
  // Input rows 0, 1, 2 with kernel k(i, j) = 10 + i + j off the diagonal; gathered as 0, 2, 1.
  Dataset data = kernel_data({100, 11, 12, 12, 13, 100, 11, 100, 13}, 3, 3);
  data.input_rows = std::vector<std::int64_t>{0, 2, 1};
  const auto kernel = std::get<DenseMatrix>(checked_precomputed(data, 1));
  const std::vector<float> expected{100, 12, 11, 12, 100, 13, 11, 13, 100};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), kernel.values.begin()));
}

TEST(MatrixEntry, reads_dense_and_sparse_alike) {
  const FeatureMatrix sparse =
      CsrMatrix{2, 4, std::vector<std::int64_t>{0, 2, 3}, std::vector<std::uint32_t>{1, 3, 0},
                std::vector<float>{5, 6, 7}};
  EXPECT_EQ(matrix_entry(sparse, 0, 1), 5);
  EXPECT_EQ(matrix_entry(sparse, 0, 2), 0);
  EXPECT_EQ(matrix_entry(sparse, 0, 3), 6);
  EXPECT_EQ(matrix_entry(sparse, 1, 0), 7);
  EXPECT_EQ(matrix_entry(sparse, 1, 3), 0);
}

}  // namespace
}  // namespace rankine
