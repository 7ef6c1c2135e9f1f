// Rows of (column, value) entries, arriving in blocks, to a dense or sparse matrix, straight into
// its final memory.
//
// Storage::automatic is dense when at least a quarter of the matrix is written out in the text,
// explicit zeros included, and sparse otherwise. Sparse keeps no zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/read.hpp>

#include "base/system/growing_array.hpp"

namespace rankine {

/// Rows one after the other: row r has entries [row_ends[r-1], row_ends[r]), columns rising.
struct EntryRows {
  std::span<const std::size_t> row_ends;
  std::span<const std::uint32_t> columns;
  std::span<const float> values;
  std::int64_t num_columns = 0;  // one more than the largest column
};

class FeatureCollector {
 public:
  /// At least `num_columns` columns. `source` is for messages.
  FeatureCollector(std::string source, Storage storage, std::int64_t num_columns);

  void add(const EntryRows& rows);
  /// Tells about how many times as many rows there will be in the end.
  void expect(double times);
  /// Puts row order[d] at d, for every d, without a second matrix. False, and nothing is done,
  /// where rows differ in length. Requires: a permutation of the rows.
  bool permute(std::span<const std::int64_t> order);
  /// The matrix; leaves nothing here. Throws Error{data} where it is larger than memory.
  FeatureMatrix finish();

 private:
  bool wants_dense() const;
  void add_dense(const EntryRows& rows);
  void add_sparse(const EntryRows& rows);
  void restride(std::size_t count, std::size_t stride);
  void to_sparse(std::size_t count);
  void to_dense();
  void settle();

  std::string source_;
  Storage storage_;
  std::int64_t num_rows_ = 0;
  std::int64_t num_columns_;
  std::int64_t num_written_ = 0;  // entries of the text
  bool dense_ = true;             // how rows are kept at present

  std::size_t stride_ = 0;  // dense: values a row takes up, at least num_columns_ in use
  GrowingArray<float> values_;
  GrowingArray<std::uint32_t> columns_;  // sparse only
  GrowingArray<std::int64_t> offsets_;   // sparse only
};

/// The same values in `storage`, with at least `num_columns` columns. Throws as finish() does.
FeatureMatrix stored_as(const std::string& source, const FeatureMatrix& matrix, Storage storage,
                        std::int64_t num_columns);

}  // namespace rankine
