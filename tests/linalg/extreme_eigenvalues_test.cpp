#include "linalg/extreme_eigenvalues.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(ExtremeEigenvalues, finds_a_small_negative_one_among_many) {
  std::vector<double> spectrum;
  for (int k = 0; k < 500; ++k) spectrum.push_back(0.002 * k);
  spectrum[250] = -0.01;
  const auto ends = extreme_eigenvalues(
      [&](std::span<const double> in, std::span<double> out) {
        for (std::size_t k = 0; k < in.size(); ++k) out[k] = spectrum[k] * in[k];
      },
      500);
  EXPECT_LT(ends.least, -0.005);
  EXPECT_GE(ends.least, -0.01 - 1e-12);
  EXPECT_NEAR(ends.largest, 0.998, 1e-2);
}

TEST(ExtremeEigenvalues, ends_early_where_there_is_nothing_more_to_find) {
  const auto ends = extreme_eigenvalues(
      [](std::span<const double> in, std::span<double> out) {
        for (std::size_t k = 0; k < in.size(); ++k) out[k] = 3 * in[k];
      },
      40);
  EXPECT_NEAR(ends.least, 3, 1e-12);
  EXPECT_NEAR(ends.largest, 3, 1e-12);
  EXPECT_EQ(extreme_eigenvalues([](auto, auto) {}, 0).largest, 0);
}

}  // namespace
}  // namespace rankine
