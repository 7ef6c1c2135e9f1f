// TREC's two kinds of text file: judgements (qrels) and rankings (runs).
#pragma once

#include <cstdint>
#include <string>

#include "rankine/array.hpp"
#include "rankine/dataset.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// A number for each of some documents, by query: grades in qrels, scores in a run. Documents of a
/// query are contiguous, in the file's order; queries come in the order of their first line.
struct TrecTable {
  std::string source;
  StringList query_ids;
  Array<std::int64_t> query_offsets;  // entries of query q: [query_offsets[q], query_offsets[q+1])
  StringList document_ids;            // by entry; no two alike in a query
  Array<double> values;               // by entry

  std::int64_t num_queries() const { return static_cast<std::int64_t>(query_ids.size()); }
  std::int64_t num_documents() const { return static_cast<std::int64_t>(values.size()); }
};

/// Reads "query iteration document grade" a line ("-": standard input; plain, gz or zst). The
/// iteration is not used, further fields and lines that start with # are passed over. A grade of
/// -1, "not judged", is kept. Throws Error{data} with file and line.
RANKINE_API TrecTable read_qrels(const std::string& path);

/// Reads "query iteration document rank score run" a line, as read_qrels does. The rank is not
/// used: the order is that of the scores.
RANKINE_API TrecTable read_run(const std::string& path);

/// A data set as judgements, its documents named by their comments. Throws Error{data} when a
/// comment is missing or names a document twice.
RANKINE_API TrecTable qrels_of(const Dataset& data);

}  // namespace rankine
