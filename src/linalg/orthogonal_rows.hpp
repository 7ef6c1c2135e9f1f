// Orthonormal rows that span what some rows span.
#pragma once

#include <cstdint>
#include <span>

namespace rankine {

/// Turns `count` independent rows of `width` values into orthonormal ones, by a QR factorisation
/// whose R has a positive diagonal: normal rows give uniformly distributed directions. Requires:
/// count <= width.
void make_rows_orthonormal(std::span<double> rows, std::int64_t count, std::int64_t width);

}  // namespace rankine
