// A counter-based random generator: a draw depends only on seed, stream and index. So any draw
// can be made at any time, by any thread, on any machine, with the same result.
// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/contract.hpp"

namespace rankine {

using RandomBlock = std::array<std::uint32_t, 4>;

/// The bijection itself: 128 random bits for each counter, under a key.
constexpr RandomBlock philox4x32(RandomBlock counter, std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// A number in (0, 1), symmetric about 1/2, from 64 random bits: the odd multiples of 2^-53.
constexpr double uniform_from_bits(std::uint64_t bits) noexcept {
  return static_cast<double>((bits >> 12) * 2 + 1) * 0x1p-53;
}
/// The same from 32 random bits: the odd multiples of 2^-33.
constexpr double uniform_from_bits(std::uint32_t bits) noexcept {
  return static_cast<double>(std::uint64_t{bits} * 2 + 1) * 0x1p-33;
}

/// One stream of draws of one seed. A value: copy it, share it between threads.
class Random {
 public:
  /// Streams of a seed are independent of each other: take one for each purpose.
  constexpr explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept
      : seed_(seed), stream_(stream) {}

  /// 128 random bits.
  constexpr RandomBlock block(std::uint64_t index) const noexcept {
    return philox4x32({low(index), high(index), low(stream_), high(stream_)},
                      {low(seed_), high(seed_)});
  }

  /// 64 random bits: half of block(index / 2). The draws below are made from bits(index), so give
  /// each draw of a stream an index of its own.
  constexpr std::uint64_t bits(std::uint64_t index) const noexcept {
    const RandomBlock words = block(index / 2);
    return index % 2 == 0 ? join(words[0], words[1]) : join(words[2], words[3]);
  }

  /// Uniform in (0, 1), never 0 or 1.
  constexpr double uniform(std::uint64_t index) const noexcept {
    return uniform_from_bits(bits(index));
  }

  /// Uniform on 0 ... bound - 1. Requires: bound > 0. One draw, no rejection: probabilities are off
  /// by at most bound / 2^64 of themselves, which no experiment can see for bound < 2^40.
  constexpr std::uint64_t below(std::uint64_t index, std::uint64_t bound) const noexcept {
    RANKINE_ASSERT(bound > 0);
    return high_product(bits(index), bound);
  }

  /// Standard normal.
  double normal(std::uint64_t index) const noexcept;

 private:
  static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static constexpr std::uint32_t high(std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32);
  }
  static constexpr std::uint64_t join(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{second} << 32 | first;
  }
  /// The upper half of the 128-bit product.
  static constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t cross = std::uint64_t{high(a)} * low(b);
    const std::uint64_t middle =
        std::uint64_t{low(a)} * high(b) + low(cross) + high(std::uint64_t{low(a)} * low(b));
    return std::uint64_t{high(a)} * high(b) + high(cross) + high(middle);
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// Puts `values` in a random order, every order equally likely. Uses draws 0 ... size - 2.
template <class T>
void shuffle(const Random& random, std::span<T> values) {
  for (std::size_t left = values.size(); left > 1; --left) {
    using std::swap;
    const auto chosen = static_cast<std::size_t>(random.below(values.size() - left, left));
    swap(values[left - 1], values[chosen]);
  }
}

/// 0 ... count - 1 in a random order.
std::vector<std::int64_t> random_permutation(const Random& random, std::int64_t count);

/// `size` different numbers of 0 ... count - 1, rising; every subset equally likely. Requires:
/// size <= count. O(size log size) whatever the count. Uses draws 0 ... size - 1.
std::vector<std::int64_t> random_subset(const Random& random, std::int64_t count,
                                        std::int64_t size);

}  // namespace rankine
