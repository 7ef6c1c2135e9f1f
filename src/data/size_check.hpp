// Sizes that a few bytes of input can ask for: checked before memory is.
#pragma once

#include <cstdint>
#include <string>

namespace rankine {

/// Throws Error{data} where a dense matrix of this shape is more than the machine's memory.
void check_dense_fits(const std::string& source, std::int64_t num_rows, std::int64_t num_columns);

/// Bytes that work by column needs for each: statistics, a scaling, weights and their gradients.
inline constexpr double kBytesPerColumn = 200;

/// Throws Error{data} where work by column needs more than `allowed` bytes, some megabytes aside:
/// one feature of a high index is enough for that.
void check_columns_fit(const std::string& source, std::int64_t num_columns, double allowed,
                       double bytes_per_column = kBytesPerColumn);

/// The same for what is free now.
void check_columns_fit(const std::string& source, std::int64_t num_columns);

}  // namespace rankine
