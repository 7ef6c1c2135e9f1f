// Writing scores, declared in include/rankine/scores.hpp.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>

#include "base/contract.hpp"
#include "base/output_file.hpp"

namespace rankine {
namespace {

void write_plain(OutputFile& file, const Dataset& data, std::span<const double> scores) {
  std::vector<double> by_row(scores.begin(), scores.end());
  for (std::size_t doc = 0; doc < data.input_rows.size(); ++doc) {
    by_row[static_cast<std::size_t>(data.input_rows[doc])] = scores[doc];
  }
  for (const double score : by_row) file.write(real_text(score) + "\n");
}

void write_run(OutputFile& file, const Dataset& data, std::span<const double> scores,
               const std::string& run_name) {
  if (data.comments.empty()) {
    throw Error(ErrorKind::data, data.source + ": a run needs document ids, in comments");
  }
  for (std::size_t query = 0; query < data.query_ids.size(); ++query) {
    const auto first = static_cast<std::size_t>(data.query_offsets[query]);
    const auto last = static_cast<std::size_t>(data.query_offsets[query + 1]);
    std::vector<std::size_t> order(last - first);
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const auto id = document_id(data.comments[order[rank]]);
      if (id.empty()) {
        throw Error(ErrorKind::data, data.source + ": a document of query " +
                                         std::string(data.query_ids[query]) +
                                         " has no id in its comment");
      }
      file.write(std::string(data.query_ids[query]) + " Q0 " + std::string(id) + " " +
                 std::to_string(rank + 1) + " " + real_text(scores[order[rank]]) + " " + run_name +
                 "\n");
    }
  }
}

}  // namespace

void write_scores(const std::string& path, const Dataset& data, std::span<const double> scores,
                  ScoreFormat format, const std::string& run_name) {
  RANKINE_ASSERT(static_cast<std::int64_t>(scores.size()) == data.num_documents());
  OutputFile file(path);
  if (format == ScoreFormat::plain) {
    write_plain(file, data, scores);
  } else {
    write_run(file, data, scores, run_name);
  }
  file.commit();
}

}  // namespace rankine
