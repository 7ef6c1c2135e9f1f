// The check that Python's arrays need and files do not: features from memory may be NaN.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rankine::python {

/// Throws Error{data} naming row and column, both from 0, of the first value that is not finite.
/// `input_rows`: by row, its place in the input; empty: the same.
void check_finite(std::span<const float> values, std::int64_t num_columns, const std::string& name,
                  std::span<const std::int64_t> input_rows = {});

}  // namespace rankine::python
