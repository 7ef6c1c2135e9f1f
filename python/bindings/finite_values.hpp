// The check that Python's arrays need and files do not: features from memory may be NaN.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <rankine/dataset.hpp>

namespace rankine::python {

/// Throws Error{data} naming row and column, both from 0, of the first value that is not finite.
/// `input_rows`: by row, its place in the input; empty: the same.
void check_finite(std::span<const float> values, std::int64_t num_columns, const std::string& name,
                  std::span<const std::int64_t> input_rows = {});

/// Makes each NaN a missing value: 0 in a copy of the features, and its place known. Requires: rows
/// of a sparse matrix begin and end within its values (else nothing is done, and a check will
/// tell).
void take_missing(Dataset& data);

}  // namespace rankine::python
