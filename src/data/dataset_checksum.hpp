// A checksum of all that learning depends on: two data sets with the same one train the same model.
#pragma once

#include <cstdint>

#include <rankine/dataset.hpp>

namespace rankine {

/// Of features, grades, query ids and sizes, weights and preferences, the same on every machine.
std::uint64_t dataset_checksum(const Dataset& data);
/// Of features, grades and sizes of queries alone.
std::uint64_t rows_checksum(const Dataset& data);

}  // namespace rankine
