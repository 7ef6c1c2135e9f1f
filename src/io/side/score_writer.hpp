// Scores as text: the parts of write_scores, for callers without a data set.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/system/output_file.hpp"

namespace rankine {

/// One score per line, each as the shortest text that reads back the same.
std::string plain_text(std::span<const double> scores);
void write_plain_scores(OutputFile& file, std::span<const double> scores);

/// The lines of one query in a run, the best first, equal scores in the order given; id_of(k) is
/// the id of the document with scores[k].
void write_run_query(OutputFile& file, std::string_view query_id, std::span<const double> scores,
                     const std::function<std::string_view(std::size_t)>& id_of,
                     const std::string& run_name);

/// document_id() of a comment; throws Error{data} when it has none.
std::string_view run_document_id(const std::string& source, std::string_view query_id,
                                 std::string_view comment);
[[noreturn]] void throw_no_document_ids(const std::string& source);

}  // namespace rankine
