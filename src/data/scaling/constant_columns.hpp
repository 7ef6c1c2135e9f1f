// Columns that have the same value in all documents, and so cannot rank them.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

/// From 0, rising. Costs little where few columns are constant; for sparse data one pass.
std::vector<std::int64_t> constant_columns(const FeatureMatrix& matrix);

}  // namespace rankine
