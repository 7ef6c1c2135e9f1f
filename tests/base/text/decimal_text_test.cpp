#include "base/text/decimal_text.hpp"

#include <array>
#include <cstdio>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace rankine {
namespace {

std::string natural_text(std::uint64_t number) {
  std::array<char, kLongestNatural> buffer{};
  return {buffer.data(), write_natural(buffer.data(), number)};
}

std::string millionths_text(std::uint64_t millionths) {
  std::array<char, kLongestMillionths> buffer{};
  return {buffer.data(), write_millionths(buffer.data(), millionths)};
}

TEST(WriteNatural, agrees_with_the_library) {
  std::uint64_t number = 0;
  for (int step = 0; step < 4000; ++step) {
    EXPECT_EQ(natural_text(number), std::to_string(number));
    number += 1 + number / 100;
  }
  EXPECT_EQ(natural_text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(WriteMillionths, agrees_with_printf) {
  for (std::uint64_t millionths = 0; millionths < 20'000'000'000;
       millionths += 1 + millionths / 90) {
    std::array<char, 64> expected{};
    std::snprintf(expected.data(), expected.size(), "%.6f",
                  static_cast<double>(millionths) / 1'000'000);
    EXPECT_EQ(millionths_text(millionths), expected.data());
  }
}

TEST(WriteMillionths, writes_the_largest_number_whole) {
  EXPECT_EQ(millionths_text(std::numeric_limits<std::uint64_t>::max()), "18446744073709.551615");
}

}  // namespace
}  // namespace rankine
