// The bytes of a model file, version 2 (docs/formats/model.md):
//   magic "\x89RKN\r\n\x1a\n", version (u32), byte order mark (u32), bytes of the file (u64),
//   number of sections (u64), the sections, a checksum (u64, XXH3) of all that precedes. Numbers
//   are little-endian. Version 1 is read as well, for ever.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rankine/model.hpp>

namespace rankine {

inline constexpr std::array<char, 8> kModelMagic{'\x89', 'R', 'K', 'N', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint32_t kModelVersion = 2;
inline constexpr std::uint32_t kModelByteOrder = 0x01020304;

/// What every version begins with.
struct ModelHeader {
  std::array<char, 8> magic = kModelMagic;
  std::uint32_t version = kModelVersion;
  std::uint32_t byte_order = kModelByteOrder;
  std::uint64_t first_size = 0;   // version 1: bytes of the description; 2: bytes of the file
  std::uint64_t second_size = 0;  // version 1: number of doubles; 2: number of sections
};
static_assert(sizeof(ModelHeader) == 32);
static_assert(std::endian::native == std::endian::little);

std::vector<char> model_bytes(const Model& model);
/// Throws Error{data} naming `name`, whatever the bytes are. Memory: a small multiple of theirs.
Model parse_model(std::span<const char> bytes, const std::string& name);

}  // namespace rankine
