#include "models/kinds/weighted_terms.hpp"

#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "features/random_rows.hpp"

namespace rankine {
namespace {

/// Term j of row r is 10 r + j.
void make_terms(std::int64_t first, std::int64_t count, float* out) {
  for (std::int64_t r = first; r < first + count; ++r) {
    for (std::int64_t j = 0; j < 3; ++j) *out++ = static_cast<float>(10 * r + j);
  }
}

TEST(WeightedTerms, are_summed_for_every_share_of_them) {
  const std::vector<double> all{1, 2, 3};
  const std::vector<double> some{5, -1};
  const std::vector<TermShare> shares{{all, {}}, {some, {2, 0}}, {{}, {}}};
  const auto scores = weighted_terms(shares, 3, 250, 2, make_terms);
  for (std::size_t r = 0; r < 250; ++r) {
    const auto base = static_cast<double>(10 * r);
    EXPECT_EQ(scores[0][r], base + 2 * (base + 1) + 3 * (base + 2));
    EXPECT_EQ(scores[1][r], 5 * (base + 2) - base);
    EXPECT_EQ(scores[2][r], 0);
  }
}

TEST(WeightedTerms, are_the_same_matrix_where_numbers_and_storage_agree) {
  const DenseMatrix rows = random_rows(4, 3);
  EXPECT_TRUE(is_same_matrix(rows, rows));
  EXPECT_FALSE(is_same_matrix(rows, sparse_form(rows)));
  EXPECT_FALSE(is_same_matrix(rows, random_rows(4, 3, 2)));
}

TEST(WeightedTerms, that_no_memory_holds_are_refused) {
  const CsrMatrix wide{1, 4294967295, std::vector<std::int64_t>{0, 1},
                       std::vector<std::uint32_t>{7}, std::vector<float>{1}};
  EXPECT_THROW(packed_terms(wide), Error);
}

}  // namespace
}  // namespace rankine
