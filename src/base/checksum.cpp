// XXH3 by Yann Collet, compiled in from its header.
#include "base/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rankine {

std::uint64_t checksum(std::span<const char> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct RunningChecksum::State {
  XXH3_state_t value;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->value);
}
RunningChecksum::~RunningChecksum() = default;
void RunningChecksum::add(std::span<const char> bytes) noexcept {
  XXH3_64bits_update(&state_->value, bytes.data(), bytes.size());
}
std::uint64_t RunningChecksum::result() const noexcept {
  return XXH3_64bits_digest(&state_->value);
}

std::uint64_t seeded_hash(std::span<const char> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace rankine
