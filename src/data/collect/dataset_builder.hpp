// Rows in the input's order to a Dataset: the documents of a query made contiguous, queries in the
// order of their first document. Input that already is so is moved, not copied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

/// What a reader has found, row by row, in the input's order.
struct ParsedRows {
  FeatureMatrix features;
  Grades grades;
  std::vector<std::uint32_t> query_of_row;  // queries numbered by first appearance; or empty, and
  std::vector<std::int64_t> query_offsets;  // as in a data set, of rows that need not move
  StringList query_ids;                     // by query number
  StringList comments;                      // by row, or empty
  Array<double> document_weights;           // by row, or empty
  StringList feature_names;                 // by column, or empty
  std::vector<MissingValue> missing;        // document: its row in the input; rising
  bool features_are_gathered = false;       // `features` alone is in gathering_order() already
};

/// By document of the data set, its row in the input; empty when the rows need not move. Requires:
/// query numbers below `num_queries`.
std::vector<std::int64_t> gathering_order(const std::vector<std::uint32_t>& query_of_row,
                                          std::size_t num_queries);

/// Requires: every array by row has as many entries as grades; query numbers are below
/// query_ids.size() and first appear in rising order. input_rows is filled only when rows moved.
Dataset build_dataset(std::string source, ParsedRows rows);

}  // namespace rankine
