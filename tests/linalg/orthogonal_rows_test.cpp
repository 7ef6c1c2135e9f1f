#include "linalg/orthogonal_rows.hpp"

#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(MakeRowsOrthonormal, gives_orthonormal_rows_along_the_first_row) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t count : {1U, 3U, 8U}) {
    std::vector<double> rows(count * 8);
    for (double& value : rows) value = normal(random);
    const std::vector<double> before(rows);
    make_rows_orthonormal(rows, static_cast<std::int64_t>(count), 8);
    double along = 0;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        double product = 0;
        for (std::size_t k = 0; k < 8; ++k) product += rows[a * 8 + k] * rows[b * 8 + k];
        EXPECT_NEAR(product, a == b ? 1 : 0, 1e-12);
      }
    }
    for (std::size_t k = 0; k < 8; ++k) along += rows[k] * before[k];
    EXPECT_GT(along, 0);
  }
}

}  // namespace
}  // namespace rankine
