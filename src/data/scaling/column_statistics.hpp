// Range, mean, deviation and non-zeros of every column, in one pass over the matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/summary.hpp>

#include "base/sums/canonical_sum.hpp"
#include "base/sums/streamed_sum.hpp"

namespace rankine {

/// Of the documents of all processes; canonical, so the same bits for any number of threads and
/// processes. `tick` is called after each of num_column_leaves(data) pieces of this process's work,
/// from any thread; it may throw.
std::vector<ColumnStatistics> column_statistics(const Dataset& data, int threads,
                                                const std::function<void()>& tick,
                                                Collective& collective = one_process());

std::size_t num_column_leaves(const Dataset& data);

/// What the statistics of stored values are made of; a sum that base/sums/canonical_sum can add up.
struct ColumnMoments {
  struct Column {
    double count = 0;
    double mean = 0;
    double squares = 0;  // summed squared distances from the mean
    float least = 0;
    float most = 0;
    std::int64_t num_nonzero = 0;
  };

  explicit ColumnMoments(std::size_t num_columns = 0) : columns(num_columns) {}

  std::vector<Column> columns;

  void add(const ColumnMoments& other);
  void write(Bytes& out) const { write_values(std::span<const Column>(columns), out); }
  void read(std::span<const std::byte>& from) { read_values(from, std::span<Column>(columns)); }
  /// Of so many rows; what is not stored is 0.
  std::vector<ColumnStatistics> statistics(std::int64_t num_rows) const;
};

/// The moments of one leaf under way, as distances from the first value of each column.
class ShiftedSums {
 public:
  explicit ShiftedSums(std::size_t num_columns) : columns_(num_columns) {}

  void add_rows(const FeatureMatrix& matrix, std::int64_t first, std::int64_t last);
  ColumnMoments close() &&;

 private:
  struct Column {
    double origin = 0;
    double count = 0;
    double sum = 0;
    double squares = 0;
    float least = 0;
    float most = 0;
    std::int64_t num_nonzero = 0;

    void add(float value);
  };
  void add(const DenseMatrix& matrix, std::int64_t first, std::int64_t last);
  void add(const CsrMatrix& matrix, std::int64_t first, std::int64_t last);

  std::vector<Column> columns_;
};

}  // namespace rankine
