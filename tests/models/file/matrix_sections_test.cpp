#include "models/file/matrix_sections.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "features/random_rows.hpp"
#include "models/kinds/weighted_terms.hpp"

namespace rankine {
namespace {

TEST(MatrixSections, give_back_every_bit) {
  const DenseMatrix dense = random_rows(7, 3);
  for (const FeatureMatrix& matrix :
       {FeatureMatrix(dense), FeatureMatrix(sparse_form(dense)), FeatureMatrix(DenseMatrix{})}) {
    SectionWriter writer;
    save_matrix(matrix, "m", writer);
    EXPECT_TRUE(is_same_matrix(load_matrix(SectionReader(writer.all(), writer.num_sections()), "m"),
                               matrix));
  }
}

TEST(MatrixSections, refuse_sizes_that_wrap_or_that_nothing_stands_behind) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto refuses_dense = [](std::int64_t rows, std::int64_t columns, std::size_t size) {
    EXPECT_THROW(dense_matrix(rows, columns, std::vector<float>(size), "m"), DamagedModel);
  };
  refuses_dense(std::int64_t{1} << 32, std::int64_t{1} << 32, 0);  // 2^64: wraps to 0
  refuses_dense(kMost, 2, 0);
  refuses_dense(-1, -6, 6);
  refuses_dense(0, std::int64_t{1} << 32, 0);  // columns stay below 2^32
  refuses_dense(2, 3, 5);
  const auto refuses_sparse = [](std::int64_t rows, std::int64_t columns,
                                 std::vector<std::int64_t> offsets,
                                 std::vector<std::uint32_t> indices) {
    std::vector<float> values(indices.size(), 1);
    EXPECT_THROW(sparse_matrix(rows, columns, std::move(offsets), std::move(indices),
                               std::move(values), "m"),
                 DamagedModel);
  };
  refuses_sparse(2, std::int64_t{1} << 40, {0, 1, 2}, {0, 1});
  refuses_sparse(kMost, 3, {0, 1, 2}, {0, 1});
  refuses_sparse(2, 3, {0, 1}, {0});
  refuses_sparse(2, 3, {0, 3, 2}, {0, 1});  // beyond the entries, and back
  refuses_sparse(2, 3, {0, -1, 2}, {0, 1});
  refuses_sparse(1, 3, {0, 2}, {1, 1});  // columns do not rise
  refuses_sparse(1, 3, {0, 1}, {3});     // a column that is not there
  refuses_sparse(-1, 3, {}, {});
  EXPECT_NO_THROW(sparse_matrix(2, 4294967295, {0, 1, 2}, {0, 4294967294U}, {1, 1}, "m"));
}

TEST(MatrixSections, refuse_values_that_are_not_finite) {
  SectionWriter writer;
  save_matrix(DenseMatrix{1, 2, std::vector<float>{1, std::numeric_limits<float>::infinity()}}, "m",
              writer);
  EXPECT_THROW(load_matrix(SectionReader(writer.all(), writer.num_sections()), "m"), DamagedModel);
}

}  // namespace
}  // namespace rankine
