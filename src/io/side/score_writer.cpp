// write_scores, declared in include/rankine/scores.hpp, and its parts.
#include "io/side/score_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>

#include "base/contract.hpp"
#include "io/row_text.hpp"

namespace rankine {
namespace {

void write_plain(OutputFile& file, const Dataset& data, std::span<const double> scores) {
  std::vector<double> by_row(scores.begin(), scores.end());
  for (std::size_t doc = 0; doc < data.input_rows.size(); ++doc) {
    by_row[static_cast<std::size_t>(data.input_rows[doc])] = scores[doc];
  }
  write_plain_scores(file, by_row);
}

}  // namespace

void write_plain_scores(OutputFile& file, std::span<const double> scores) {
  constexpr std::size_t kTogether = 4096;
  for (std::size_t first = 0; first < scores.size(); first += kTogether) {
    file.write(plain_text(scores.subspan(first, std::min(kTogether, scores.size() - first))));
  }
}

std::string plain_text(std::span<const double> scores) {
  RowText text;
  for (const double score : scores) {
    text.add_number(score);
    text.add('\n');
  }
  return text.take();
}

std::string_view run_document_id(const std::string& source, std::string_view query_id,
                                 std::string_view comment) {
  const auto id = document_id(comment);
  if (!id.empty()) return id;
  throw Error(ErrorKind::data, source + ": a document of query " + std::string(query_id) +
                                   " has no id in its comment");
}

void throw_no_document_ids(const std::string& source) {
  throw Error(ErrorKind::data, source + ": a run needs document ids, in comments");
}

void write_run_query(OutputFile& file, std::string_view query_id, std::span<const double> scores,
                     const std::function<std::string_view(std::size_t)>& id_of,
                     const std::string& run_name) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  RowText text;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    text.add(query_id);
    text.add(" Q0 ");
    text.add(id_of(order[rank]));
    text.add(' ');
    text.add_number(rank + 1);
    text.add(' ');
    text.add_number(scores[order[rank]]);
    text.add(' ');
    text.add(run_name);
    text.add('\n');
  }
  file.write(text.take());
}

void write_scores(const std::string& path, const Dataset& data, std::span<const double> scores,
                  ScoreFormat format, const std::string& run_name) {
  RANKINE_ASSERT(static_cast<std::int64_t>(scores.size()) == data.num_documents());
  OutputFile file(path);
  if (format == ScoreFormat::plain) {
    write_plain(file, data, scores);
  } else {
    if (data.comments.empty()) throw_no_document_ids(data.source);
    for (std::size_t query = 0; query < data.query_ids.size(); ++query) {
      const auto first = static_cast<std::size_t>(data.query_offsets[query]);
      const auto last = static_cast<std::size_t>(data.query_offsets[query + 1]);
      write_run_query(
          file, data.query_ids[query], scores.subspan(first, last - first),
          [&](std::size_t doc) {
            return run_document_id(data.source, data.query_ids[query], data.comments[first + doc]);
          },
          run_name);
    }
  }
  file.commit();
}

}  // namespace rankine
