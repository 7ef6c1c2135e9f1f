// Checksums of what we store: XXH3, 64 bits. They detect damage, not forgery.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace rankine {

/// XXH3_64bits with seed 0, the same on every machine. Faster than memory can be read.
std::uint64_t checksum(std::span<const char> bytes) noexcept;

/// The same with a seed: for keys that must look random yet never change.
std::uint64_t seeded_hash(std::span<const char> bytes, std::uint64_t seed) noexcept;

/// checksum() of bytes that come in parts.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;

  void add(std::span<const char> bytes) noexcept;
  std::uint64_t result() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankine
