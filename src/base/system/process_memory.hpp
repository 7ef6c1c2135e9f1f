// The memory this process has used.
#pragma once

#include <cstdint>

namespace rankine {

/// The most bytes that were resident at any time so far; 0 where the system does not say.
std::int64_t peak_memory_bytes();

/// Returns freed memory, which the heap keeps for later, to the system, where the C library can.
void return_free_memory();

/// Bytes that could be allocated now without swapping; 0 where the system does not say.
std::int64_t available_memory_bytes();

}  // namespace rankine
