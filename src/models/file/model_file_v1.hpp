// Model files of version 1: a description in JSON, and the arrays of doubles that it names by their
// lengths, one after the other. No longer written, and read for ever.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/model.hpp>

namespace rankine {

/// The model between header and checksum, where the header states these sizes. Throws DamagedModel.
Model parse_model_v1(std::span<const char> content, std::uint64_t description_bytes,
                     std::uint64_t num_doubles);

}  // namespace rankine
