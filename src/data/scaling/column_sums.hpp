// Range, mean and deviation of every column of a stream that comes in blocks of whole queries:
// enough to fit a scaling to it. The same bits however the stream is cut into blocks.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/scaling.hpp>
#include <rankine/summary.hpp>

#include "base/sums/streamed_sum.hpp"
#include "data/scaling/column_statistics.hpp"

namespace rankine {

class ColumnSums {
 public:
  explicit ColumnSums(std::int64_t num_columns);

  /// The next queries. Requires: num_columns features.
  void add(const Dataset& queries, int threads);
  /// After the last.
  void finish();

  /// none, standard or minmax, as fit_scaling() gives them but for rounding. Requires: finish().
  FeatureScaling scaling(Scaling kind, bool is_dense) const;
  /// Columns with one value in all rows, from 0. Requires: finish().
  std::vector<std::int64_t> constant() const;

 private:
  StreamedSum<ShiftedSums, ColumnMoments> sum_;
  std::int64_t num_rows_ = 0;
  std::vector<ColumnStatistics> columns_;
};

}  // namespace rankine
