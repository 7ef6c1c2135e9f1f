// The rows of one chunk of a CSV file: their cells as numbers and query ids, in their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

#include "io/csv/csv_columns.hpp"
#include "io/csv/csv_text.hpp"

namespace rankine {

/// What the rows of the whole file hold besides features, by row in the input's order.
struct CsvRowValues {
  std::vector<double> grades;
  std::vector<double> weights;              // empty without a column of weights
  std::vector<std::uint32_t> query_of_row;  // numbered within the row's chunk
  std::vector<std::string> comments;        // "docid = ID"; empty without a column of ids

  void resize(std::size_t num_rows, const CsvColumns& columns);
};

/// What a chunk has besides the values it puts in their places.
struct CsvChunkFindings {
  std::vector<MissingValue> missing;  // by row of all and feature, both from 0
  std::int64_t num_nonzero = 0;
  std::vector<std::string> query_ids;  // by number, in order of first appearance
};

/// Writes the chunk's values to `rows` from `first_row` on, and its features to `features`, each
/// row `width` after the one before. Throws Error{data} at the chunk's first mistake.
CsvChunkFindings parse_csv_rows(const CsvText& csv, const CsvColumns& columns,
                                const CsvChunk& chunk, std::size_t first_row, CsvRowValues& rows,
                                float* features, std::size_t width);

}  // namespace rankine
