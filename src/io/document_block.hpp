// Some documents of an input, in its order, for streaming: a small data set whose memory is used
// again for the next block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <rankine/dataset.hpp>

#include "data/collect/feature_collector.hpp"

namespace rankine {

/// The documents of a block, one query for each run of rows with the same id. The arrays of
/// `documents` are views of what stands below it, or of a mapped file, and live as long.
struct DocumentBlock {
  DocumentBlock() = default;
  virtual ~DocumentBlock() = default;
  DocumentBlock(const DocumentBlock&) = delete;
  DocumentBlock& operator=(const DocumentBlock&) = delete;
  DocumentBlock(DocumentBlock&&) = default;
  DocumentBlock& operator=(DocumentBlock&&) = default;

  Dataset documents;                        // without query_ids, comments and input_rows
  std::vector<std::string_view> query_ids;  // by query of `documents`
  std::vector<std::string_view> comments;   // by document, or empty

  std::vector<double> grades;
  std::vector<double> weights;  // by document, or empty
  std::vector<std::int64_t> query_offsets;
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> row_offsets;
  std::vector<MissingValue> missing;
};

/// Makes `rows` the features of `block`, in exactly `num_columns` columns: entries of later ones
/// are left out. Sparse keeps no zeros, as when a whole data set is read.
void set_features(DocumentBlock& block, const EntryRows& rows, bool dense,
                  std::int64_t num_columns);
/// The same for dense rows of `width` values, as many as block.grades; columns that they lack are
/// 0.
void set_features(DocumentBlock& block, std::span<const float> rows, std::size_t width, bool dense,
                  std::int64_t num_columns);

/// Makes block.grades, weights, query_offsets and those of block.missing that lie within the
/// features those of `documents`.
void set_documents(DocumentBlock& block);

}  // namespace rankine
