// Numbers as a description shows them.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace rankine {

/// To four significant digits.
inline std::string number_text(double value) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.4g", value);
  return buffer.data();
}

/// 1234567 as "1,234,567". Requires: value >= 0.
inline std::string count_text(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace rankine
