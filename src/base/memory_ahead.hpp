// Memory that the work after this one will read, asked for a cache line at a time in between: what
// finds its data in cache leaves the memory idle otherwise.
#pragma once

#include <cstddef>
#include <span>

namespace rankine {

class MemoryAhead {
 public:
  /// Nothing to ask for.
  MemoryAhead() = default;
  explicit MemoryAhead(std::span<const float> values)
      : next_(reinterpret_cast<const char*>(values.data())), left_(values.size_bytes()) {}

  /// The next line, if there is one.
  void ask() {
    if (left_ < kCacheLine) return;
    __builtin_prefetch(next_);
    next_ += kCacheLine;
    left_ -= kCacheLine;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;

  const char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace rankine
