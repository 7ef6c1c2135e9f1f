// The empirical distribution function of every column, at a bounded number of points.
//   level(x) = (documents below x + (documents at x - 1) / 2) / (documents - 1)
// Ties get the middle of their ranks; without ties the least value has level 0, the largest 1.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>

#include "base/collective.hpp"

namespace rankine {

/// Points of column c: [offsets[c], offsets[c + 1]); none when the column is constant.
struct ColumnQuantiles {
  std::vector<std::int64_t> offsets;
  std::vector<double> knots;  // values of the column, rising; its least and largest among them
  std::vector<double> levels;
};

/// All values of a column that has at most `max_knots` of them, or else at most max_knots of them
/// at evenly spaced ranks, between which the level is off by less than 5 / max_knots. Zeros of
/// sparse rows count. Sorts each column; dense columns are copied eight at a time, sparse values
/// once. Of the documents of all processes: one after the other, the values of each column are
/// gathered, so a process needs the memory of one column of all. Requires: max_knots >= 2.
ColumnQuantiles column_quantiles(const FeatureMatrix& features, std::int64_t max_knots, int threads,
                                 Collective& collective = one_process());

}  // namespace rankine
