// A number that tells whether two data sets are the same to learning.
#pragma once

#include <cstdint>

#include <rankine/dataset.hpp>

namespace rankine {

/// Of features, grades, query ids and sizes, weights and preferences, the same on every machine.
std::uint64_t dataset_checksum(const Dataset& data);

}  // namespace rankine
