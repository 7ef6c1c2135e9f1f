// Range, mean, deviation and non-zeros of every column, in one pass over the matrix.
#pragma once

#include <functional>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/summary.hpp>

namespace rankine {

/// The same bits for any number of threads. `tick` is called after each of
/// num_column_blocks(matrix) pieces of work, from any thread; it may throw.
std::vector<ColumnStatistics> column_statistics(const FeatureMatrix& matrix, int threads,
                                                const std::function<void()>& tick);

std::int64_t num_column_blocks(const FeatureMatrix& matrix);

}  // namespace rankine
