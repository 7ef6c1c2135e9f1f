// Prefetches the rows that the next piece of work will read, one cache line at a time, while the
// present piece computes on data that is already in cache and leaves the memory bus idle.
#pragma once

#include <cstddef>
#include <span>

namespace rankine {

class Prefetcher {
 public:
  /// Nothing to prefetch.
  Prefetcher() = default;
  explicit Prefetcher(std::span<const float> values)
      : next_(reinterpret_cast<const char*>(values.data())), left_(values.size_bytes()) {}

  /// Prefetches the next cache line, if there is one.
  void prefetch() {
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
