// The bytes of a model file, version 1 (docs/formats/model.md):
//   magic "\x89RKN\r\n\x1a\n", version (u32), byte order mark (u32), bytes of the description
//   (u64), number of doubles (u64), the description (JSON), padding to 8 bytes, the doubles, a
//   checksum (u64, XXH3) of all that precedes. Numbers are little-endian.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <rankine/model.hpp>

namespace rankine {

std::vector<char> model_bytes(const Model& model);
/// Throws Error{data} naming `name`, whatever the bytes are.
Model parse_model(std::span<const char> bytes, const std::string& name);

}  // namespace rankine
