// Numbers as decimal text in a caller's buffer, by integer arithmetic: a few nanoseconds each.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace rankine {

/// The digits of 00 ... 99, one after the other.
inline constexpr auto kDigitPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t number = 0; number < 100; ++number) {
    pairs[2 * number] = static_cast<char>('0' + number / 10);
    pairs[2 * number + 1] = static_cast<char>('0' + number % 10);
  }
  return pairs;
}();

/// The most characters that the functions below write.
inline constexpr std::size_t kLongestNatural = 20;
inline constexpr std::size_t kLongestMillionths = 21;

inline char* write_digit_pair(char* out, std::uint64_t number) noexcept {
  std::memcpy(out, &kDigitPairs[2 * number], 2);
  return out + 2;
}

/// Writes `number` and returns the end of the text.
inline char* write_natural(char* out, std::uint64_t number) noexcept {
  if (number < 10) {
    *out = static_cast<char>('0' + number);
    return out + 1;
  }
  if (number < 100) return write_digit_pair(out, number);
  out = write_natural(out, number / 100);
  return write_digit_pair(out, number % 100);
}

/// Writes millionths / 10^6 with six decimals, "0.012345", and returns the end of the text.
inline char* write_millionths(char* out, std::uint64_t millionths) noexcept {
  out = write_natural(out, millionths / 1'000'000);
  *out++ = '.';
  const auto decimals = static_cast<std::uint32_t>(millionths % 1'000'000);
  out = write_digit_pair(out, decimals / 10'000);
  out = write_digit_pair(out, decimals / 100 % 100);
  return write_digit_pair(out, decimals % 100);
}

}  // namespace rankine
