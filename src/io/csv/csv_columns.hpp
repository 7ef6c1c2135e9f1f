// What the columns of a CSV file are: read from its header line and the options that name columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rankine/read.hpp>

#include "io/csv/csv_text.hpp"

namespace rankine {

enum class CsvRole : std::uint8_t { feature, grade, query_id, weight, document_id, ignored };

struct CsvColumns {
  std::vector<std::string> names;  // of all columns
  std::vector<CsvRole> roles;
  bool has_query_ids = false;
  bool has_weights = false;
  bool has_document_ids = false;
  bool missing_is_error = false;

  std::vector<std::string> feature_names() const;
};

/// Throws Error{data} when the header does not fit the options: a column they name is not there, a
/// name is missing or there twice, a column has two roles. Without a column named by the default
/// of `qid` the file is one query; so it is with an empty `qid`.
CsvColumns read_csv_columns(const CsvText& csv, const CsvRow& header, const ReadOptions& options);

}  // namespace rankine
