// Numbers and strings appended to a growing text, fast: numbers take the shortest form that reads
// back as the same value.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace rankine {

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
  /// Everything added since the last call.
  std::string take() {
    flush();
    return std::exchange(text_, {});
  }

 private:
  static constexpr std::size_t kChunk = 4096;

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
