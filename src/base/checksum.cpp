#include "base/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rankine {

std::uint64_t checksum(std::span<const char> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t seeded_hash(std::span<const char> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace rankine
