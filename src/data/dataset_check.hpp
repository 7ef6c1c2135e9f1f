// What every Dataset promises (rankine/dataset.hpp), checked, so that a hostile file
// cannot cause an access out of bounds, and what is written can be read again. One pass.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <rankine/dataset.hpp>

namespace rankine {

/// check_dataset (rankine/dataset.hpp) in parts, for a caller that meets the large arrays piece by
/// piece anyway. All but the feature values and columns; afterwards row offsets may be trusted.
void check_structure(const Dataset& data, const std::string& name);
/// Whether all values are finite.
bool all_finite(std::span<const float> values) noexcept;
/// Whether the entries [first, last) lie in columns that exist and rise within their row. `first`
/// is also compared with the entry before it. Requires: row offsets that check_structure has
/// passed.
bool columns_rise(const CsrMatrix& matrix, std::int64_t first, std::int64_t last) noexcept;

/// Throws what check_dataset does when all_finite or columns_rise is false.
[[noreturn]] void throw_not_finite(const std::string& name);
[[noreturn]] void throw_columns_do_not_rise(const std::string& name);

}  // namespace rankine
