// Values that the input does not have: `NULL`, an empty cell, NaN.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fields.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

struct Dataset;

/// What stands for a missing value: 0, the mean of its column's other values in the training data,
/// or nothing: it is an error.
enum class Missing { zero, mean, error };
template <>
struct EnumNames<Missing> {
  static constexpr std::array<std::string_view, 3> names{"zero", "mean", "error"};
};

/// The mean of each column over the documents that have its value; 0 where none has. Throws
/// Error{data} when values are missing and the data does not say which.
RANKINE_API std::vector<double> means_of_present(const Dataset& data, int threads = 0);

/// The data with values[column] in the place of each missing value; a column beyond the last value
/// gets 0. What was missing is still known to be. A copy of the features, unless none is missing.
RANKINE_API Dataset fill_missing(const Dataset& data, std::span<const double> values);

/// "3 missing values were read as 0", or as what `missing` says; empty where there are none.
RANKINE_API std::string missing_warning(const std::string& source, std::int64_t num_missing,
                                        Missing missing);

}  // namespace rankine
