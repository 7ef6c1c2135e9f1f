// Range, mean and squared distances of every column over blocks of rows that come one after the
// other: enough to fit a scaling to a stream.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/scaling.hpp>

namespace rankine {

class ColumnSums {
 public:
  explicit ColumnSums(std::int64_t num_columns) : columns_(static_cast<std::size_t>(num_columns)) {}

  /// The next rows. Requires: num_columns of them.
  void add(const FeatureMatrix& rows, int threads);

  /// none, standard or minmax, as fit_scaling() gives them but for rounding.
  FeatureScaling scaling(Scaling kind, bool is_dense) const;
  /// Columns with one value in all rows, from 0.
  std::vector<std::int64_t> constant() const;

 private:
  struct Column {
    double count = 0;
    double mean = 0;
    double squares = 0;
    double least = 0;
    double most = 0;

    bool is_constant() const { return least == most; }
  };

  std::vector<Column> columns_;
};

}  // namespace rankine
