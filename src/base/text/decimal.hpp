// Decimal text to the nearest float or double, correctly rounded and mostly without a loop: eight
// digits are found and converted at once inside a 64-bit word. A product of mantissa and power of
// ten in double decides the float, except next to the middle of two floats, where fast_float
// decides.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace rankine {

static_assert(std::endian::native == std::endian::little, "words of text are read low byte first");

/// The next 8 bytes, the first in the low byte. Requires: all can be read.
inline std::uint64_t load_word(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

/// How many of the word's bytes, from the first, are digits: 0 to 8.
inline unsigned num_leading_digits(std::uint64_t word) {
  const std::uint64_t values = word ^ 0x3030303030303030;
  // A digit's byte is at most 9, so that adding 0x76 leaves its high bit 0. A carry out of another
  // byte only reaches bytes after the first that is no digit.
  const std::uint64_t others = (values | (values + 0x7676767676767676)) & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// The number written by the first `count` bytes, digits all, 1 to 8.
inline std::uint64_t digits_value(std::uint64_t word, unsigned count) {
  // Digits move to the end of the word: what comes before them is 0.
  std::uint64_t v = (word ^ 0x3030303030303030) << (64 - 8 * count);
  v = v * 10 + (v >> 8);  // pairs, in bytes 0, 2, 4, 6
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return ((v & kPairs) * 0x000F424000000064 + ((v >> 16) & kPairs) * 0x0000271000000001) >> 32;
}

inline constexpr std::array<double, 23> kPowersOfTen = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint64_t, 9> kWholePowersOfTen = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// [-]digits[.digits] as mantissa / 10^num_decimals.
struct Decimal {
  const char* end = nullptr;  // null: not written so simply, or over 18 digits
  std::int64_t mantissa = 0;  // without its sign, below 10^18
  unsigned num_decimals = 0;  // at most 17
  bool negative = false;
};

/// Scans the start of `text`; what follows (an exponent, say) is the caller's to judge. Requires:
/// 32 bytes can be read, whatever they hold.
inline Decimal scan_decimal(const char* text) {
  Decimal number;
  if (*text == '-') {
    number.negative = true;
    ++text;
  }
  const std::uint64_t head = load_word(text);
  std::uint64_t mantissa = head & 0xF;
  unsigned num_whole = 1;
  if ((head & 0xFFF0) != 0x2E30 || (head & 0xF) > 9) {
    num_whole = num_leading_digits(head);
    if (num_whole == 0 || num_whole == 8) return number;
    mantissa = digits_value(head, num_whole);
    if (text[num_whole] != '.') {
      number.end = text + num_whole;
      number.mantissa = static_cast<std::int64_t>(mantissa);
      return number;
    }
  }
  text += num_whole + 1;
  unsigned num_decimals = 0;
  unsigned count = 0;
  do {
    const std::uint64_t word = load_word(text);
    count = num_leading_digits(word);
    if (count == 0) break;
    num_decimals += count;
    if (num_whole + num_decimals > 18) return number;
    mantissa = mantissa * kWholePowersOfTen[count] + digits_value(word, count);
    text += count;
  } while (count == 8);
  if (num_decimals == 0) return number;
  number.end = text;
  number.mantissa = static_cast<std::int64_t>(mantissa);
  number.num_decimals = num_decimals;
  return number;
}

inline constexpr std::array<double, 18> kInversePowersOfTen = {
    1e-0, 1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,
    1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17};

/// The float nearest to mantissa / 10^num_decimals, or false where this needs more care than one
/// product gives. Requires: mantissa below 10^18, num_decimals at most 17.
inline bool nearest_float(std::int64_t mantissa, unsigned num_decimals, float& value) {
  // The three roundings to double (of the mantissa, of the power, of the product) err by at most 3
  // units in its last place. The float nearest to the product is then the one nearest to the
  // number, unless the product is so close to the middle of two floats: the 29 bits that float
  // lacks are near 1000...0. Nothing here is small enough for float to lose bits.
  const double product = static_cast<double>(mantissa) * kInversePowersOfTen[num_decimals];
  value = static_cast<float>(product);
  return ((std::bit_cast<std::uint64_t>(product) - 0x0FFFFFFC) & 0x1FFFFFFF) > 8;
}

inline bool nearest_float(const Decimal& number, float& value) {
  const bool near = nearest_float(number.mantissa, number.num_decimals, value);
  if (number.negative) value = -value;
  return near;
}

/// Reads [-]digits[.digits], up to 7 digits on either side, which most values are. Returns the end,
/// or null where the value needs more care. Requires: 24 bytes can be read, whatever they hold.
inline const char* scan_short_float(const char* text, float& value) {
  bool negative = false;
  if (*text == '-') {
    negative = true;
    ++text;
  }
  const std::uint64_t head = load_word(text);
  std::uint64_t whole = head & 0xF;
  unsigned num_digits = 1;
  // 0.something, for the most part.
  if ((head & 0xFFF0) != 0x2E30 || whole > 9) {
    num_digits = num_leading_digits(head);
    if (num_digits == 0 || num_digits == 8) return nullptr;
    whole = digits_value(head, num_digits);
    if (text[num_digits] != '.') {
      const auto magnitude = static_cast<float>(static_cast<std::int64_t>(whole));
      value = negative ? -magnitude : magnitude;
      return text + num_digits;
    }
  }
  text += num_digits + 1;
  const std::uint64_t word = load_word(text);
  const unsigned num_decimals = num_leading_digits(word);
  if (num_decimals == 0 || num_decimals == 8) return nullptr;
  const std::uint64_t mantissa =
      whole * kWholePowersOfTen[num_decimals] + digits_value(word, num_decimals);
  float magnitude = 0;
  if (!nearest_float(static_cast<std::int64_t>(mantissa), num_decimals, magnitude)) return nullptr;
  value = negative ? -magnitude : magnitude;
  return text + num_decimals;
}

/// The nearest double, or false where this needs more care than one division gives.
inline bool nearest_double(const Decimal& number, double& value) {
  const double quotient = static_cast<double>(number.mantissa) / kPowersOfTen[number.num_decimals];
  value = number.negative ? -quotient : quotient;
  return number.mantissa <= std::int64_t{1} << 53;
}

/// Whether `text` starts with d.dddddd, as "%f" writes what is below 10, and then its value: what
/// follows is not looked at. Requires: 8 bytes can be read.
inline bool scan_six_decimals(const char* text, float& value) {
  // Digits become 0 to 9 and the point 0; the sum has a high bit where any byte is something else.
  const std::uint64_t v = load_word(text) ^ 0x3030303030302E30;
  if (((v | (v + 0x7676767676767F76)) & 0x8080808080808080) != 0) return false;
  // As digits_value() does it, with the pair "d." counting d times 10^6.
  const std::uint64_t pairs = v * 10 + (v >> 8);
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  const std::uint64_t mantissa =
      ((pairs & kPairs) * 0x000186A000000064 + ((pairs >> 16) & kPairs) * 0x0000271000000001) >> 32;
  // Both are floats exactly, so that their quotient is rounded once.
  value = static_cast<float>(static_cast<std::int32_t>(mantissa)) / 1e6F;
  return true;
}

enum class NumberOutcome { ok, not_a_number, not_finite, too_large };

/// All of `text` as a number, of any form and length: an optional sign, digits, a point, an
/// exponent. "nan" and "inf" in any spelling are not_finite; what would round to infinity is
/// too_large. Too small numbers are 0.
NumberOutcome parse_number(std::string_view text, float& value);
NumberOutcome parse_number(std::string_view text, double& value);

}  // namespace rankine
