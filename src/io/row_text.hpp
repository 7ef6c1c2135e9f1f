// Numbers and strings appended to a growing text, fast: numbers take the shortest form that reads
// back as the same value.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace rankine {

inline constexpr auto kThreeDigits = [] {
  std::array<std::array<char, 3>, 1000> table{};
  for (std::size_t number = 0; number < 1000; ++number) {
    table[number] = {static_cast<char>('0' + number / 100),
                     static_cast<char>('0' + number / 10 % 10),
                     static_cast<char>('0' + number % 10)};
  }
  return table;
}();

class RowText {
 public:
  void add(char letter) {
    make_room(1);
    chunk_[used_++] = letter;
  }
  void add(std::string_view text) {
    if (text.size() > kChunk) {
      flush();
      text_.append(text);
      return;
    }
    make_room(text.size());
    text.copy(chunk_.data() + used_, text.size());
    used_ += text.size();
  }
  template <class Number>
  void add_number(Number value) {
    constexpr std::size_t kLongest = 32;  // of a double: 24
    make_room(kLongest);
    char* const first = chunk_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(first, first + kLongest, value).ptr - first);
  }
  void add_number(float value) {
    if (!add_short(value)) add_number<float>(value);
  }
  /// Everything added since the last call.
  std::string take() {
    flush();
    return std::exchange(text_, {});
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  /// Zero, small whole numbers and up to six decimals, in the text std::to_chars gives: what data
  /// mostly holds, at a fraction of the cost. False, and nothing added, for any other number.
  bool add_short(float value) {
    const float size = std::abs(value);
    const bool is_fraction = size >= 0.001F && size < 1;
    if (!is_fraction && !(size < 100000 && size == static_cast<float>(static_cast<int>(size)))) {
      return false;
    }
    if (!is_fraction) {
      if (std::signbit(value)) add('-');
      add_number(static_cast<int>(size));
      return true;
    }
    // Different decimals of six digits are different floats, so if one of them is the value, none
    // is shorter. Two roundings do no harm: no such decimal is near enough to the middle between
    // two floats (it is off by 2^-39 of its size or is the middle itself).
    const auto digits = static_cast<std::uint32_t>(static_cast<double>(size) * 1e6 + 0.5);
    if (static_cast<float>(digits / 1e6) != size) return false;  // so digits < 10^6
    make_room(9);
    char* const first = chunk_.data() + used_;
    char* next = first;
    if (std::signbit(value)) *next++ = '-';
    *next++ = '0';
    *next++ = '.';
    std::memcpy(next, kThreeDigits[digits / 1000].data(), 3);
    std::memcpy(next + 3, kThreeDigits[digits % 1000].data(), 3);
    next += 6;
    while (next[-1] == '0') --next;
    used_ += static_cast<std::size_t>(next - first);
    return true;
  }

  void make_room(std::size_t bytes) {
    if (used_ + bytes > kChunk) flush();
  }
  void flush() {
    text_.append(chunk_.data(), used_);
    used_ = 0;
  }

  std::array<char, kChunk> chunk_;
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace rankine
