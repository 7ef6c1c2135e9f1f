#include "base/text/decimal.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// As the reader does it: the short way where it applies, and the careful one otherwise.
template <class Real>
Real read(const std::string& text) {
  const std::string padded = text + std::string(32, '\0');
  Real value = 0;
  if constexpr (std::is_same_v<Real, float>) {
    if (text.size() == 8 && scan_six_decimals(padded.data(), value)) return value;
    if (scan_short_float(padded.data(), value) == padded.data() + text.size()) return value;
  }
  const Decimal number = scan_decimal(padded.data());
  if (number.end == padded.data() + text.size()) {
    bool exact = false;
    if constexpr (std::is_same_v<Real, float>) {
      exact = nearest_float(number, value);
    } else {
      exact = nearest_double(number, value);
    }
    if (exact) return value;
  }
  EXPECT_EQ(parse_number(text, value), NumberOutcome::ok) << text;
  return value;
}

void expect_as_the_c_library(const std::string& text) {
  ASSERT_EQ(std::bit_cast<std::uint32_t>(read<float>(text)),
            std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)))
      << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(read<double>(text)),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
}

TEST(DecimalTest, counts_and_converts_leading_digits) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    char text[8];
    unsigned expected_count = 0;
    std::uint64_t expected = 0;
    for (char& c : text) {
      c = random() % 8 != 0 ? static_cast<char>('0' + random() % 10) : static_cast<char>(random());
    }
    while (expected_count < 8 && text[expected_count] >= '0' && text[expected_count] <= '9') {
      expected = expected * 10 + static_cast<std::uint64_t>(text[expected_count++] - '0');
    }
    ASSERT_EQ(num_leading_digits(load_word(text)), expected_count);
    if (expected_count > 0) {
      ASSERT_EQ(digits_value(load_word(text), expected_count), expected);
    }
  }
}

TEST(DecimalTest, gives_the_nearest_number_to_random_decimals) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 1000000; ++trial) {
    std::string text = random() % 4 == 0 ? "-" : "";
    const auto num_whole = 1 + random() % (trial % 4 == 0 ? 9 : 1);
    for (std::uint64_t digit = 0; digit < num_whole; ++digit) {
      text += static_cast<char>('0' + random() % 10);
    }
    const auto num_decimals = random() % 20;
    if (num_decimals > 0) text += '.';
    for (std::uint64_t digit = 0; digit < num_decimals; ++digit) {
      text += static_cast<char>('0' + random() % (trial % 3 == 0 ? 2 : 10));
    }
    if (random() % 16 == 0) text += "e" + std::to_string(static_cast<int>(random() % 50) - 25);
    expect_as_the_c_library(text);
    if (HasFatalFailure()) return;
  }
}

TEST(DecimalTest, gives_the_nearest_float_around_the_middle_of_two) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200000; ++trial) {
    // In [2^-20, 2^20], where the decimals below are mostly short enough for the fast way.
    const auto exponent = 107U + static_cast<std::uint32_t>(random() % 40);
    const auto low =
        std::bit_cast<float>(exponent << 23 | static_cast<std::uint32_t>(random() & 0x7FFFFF));
    const double middle =
        (static_cast<double>(low) + static_cast<double>(std::nextafter(low, 1e30F))) / 2;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 18), middle);
    expect_as_the_c_library(text);
    if (HasFatalFailure()) return;
    std::snprintf(text, sizeof text, "%.17g", middle);
    expect_as_the_c_library(text);
    if (HasFatalFailure()) return;
  }
}

TEST(DecimalTest, gives_the_nearest_float_to_any_six_decimals) {
  char text[16];
  for (int mantissa = 0; mantissa < 10000000; mantissa += mantissa < 1000000 ? 1 : 13) {
    std::snprintf(text, sizeof text, "%d.%06d", mantissa / 1000000, mantissa % 1000000);
    float value = -1;
    ASSERT_TRUE(scan_six_decimals(text, value));
    ASSERT_EQ(value, static_cast<float>(mantissa) / 1e6F) << text;  // both exact: rounded once
  }
}

TEST(DecimalTest, takes_for_six_decimals_nothing_else) {
  float value = 0;
  std::string text = "0.123456";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      const bool valid = at == 1 ? byte == '.' : byte >= '0' && byte <= '9';
      ASSERT_EQ(scan_six_decimals(changed.data(), value), valid) << at << " " << byte;
    }
  }
}

TEST(DecimalTest, reads_back_every_float_it_is_shown) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 500000; ++trial) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(read<float>(text)), std::bit_cast<std::uint32_t>(value))
        << text;
  }
}

TEST(DecimalTest, takes_the_forms_numbers_have) {
  for (const char* text :
       {"0", "-0", "-0.0", "1.", ".5", "-.5", "00012.50", "1e5", "1E-5", "16777217",
        "0.00000000000000001", "123456789012345678901234567890", "3.4028234e38", "1e-45",
        "1.17549435e-38", "0.1e-400", "0.000000000000000000000000000000000000000000001"}) {
    expect_as_the_c_library(text);
  }
  float value = 0;
  EXPECT_EQ(parse_number("+1.5", value), NumberOutcome::ok);
  EXPECT_EQ(value, 1.5F);
}

TEST(DecimalTest, tells_what_is_wrong_with_a_number) {
  float value = 0;
  for (const char* text : {"", "+", "-", ".", "1.5x", "x", "+-1", "1e", "1,5", "0x10", "--1"}) {
    EXPECT_EQ(parse_number(text, value), NumberOutcome::not_a_number) << text;
  }
  for (const char* text : {"nan", "-NaN", "inf", "+Inf", "-infinity"}) {
    EXPECT_EQ(parse_number(text, value), NumberOutcome::not_finite) << text;
  }
  for (const char* text : {"1e39", "-3.5e38", "1e999"}) {
    EXPECT_EQ(parse_number(text, value), NumberOutcome::too_large) << text;
  }
  double large = 0;
  EXPECT_EQ(parse_number("1e39", large), NumberOutcome::ok);
  EXPECT_EQ(parse_number("1e309", large), NumberOutcome::too_large);
}

}  // namespace
}  // namespace rankine
