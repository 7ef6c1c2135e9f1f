// write_synthetic: blocks become text in parallel and are written in order.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/synth.hpp>

#include "base/system/output_file.hpp"
#include "synth/synthetic_blocks.hpp"
#include "synth/synthetic_text.hpp"

namespace rankine {
namespace {

/// One block's text and counts.
struct TextBlock {
  std::string data;
  std::string true_scores;
  std::int64_t num_rows = 0;
  std::int64_t non_zeros = 0;
  std::vector<std::int64_t> grade_counts;
  std::vector<char> line;
};

void make_text(const SyntheticSource& source, const RowRange& range, bool with_true_scores,
               TextBlock& block) {
  const int grades = source.options().grades;
  block.data.clear();
  block.true_scores.clear();
  block.num_rows = range.num_rows;
  block.non_zeros = 0;
  block.grade_counts.assign(static_cast<std::size_t>(grades), 0);
  for_each_row(
      source, range, [&](std::int64_t query, std::int64_t document, const SyntheticRow& row) {
        const std::size_t needed = longest_synthetic_row(row.columns.size());
        if (block.line.size() < needed) block.line.resize(needed);
        char* const begin = block.line.data();
        block.data.append(begin, write_synthetic_row(begin, query, document, row, grades == 0));
        block.non_zeros += static_cast<std::int64_t>(row.columns.size());
        if (grades > 0) ++block.grade_counts[static_cast<std::size_t>(row.grade)];
        if (with_true_scores) {
          block.true_scores.append(begin, write_real(begin, row.true_score)).push_back('\n');
        }
      });
}

/// The destination of blocks; counts what was written.
class TextSink {
 public:
  TextSink(const std::string& path, const std::string& true_scores_path,
           const SynthOptions& options)
      : data_(path) {
    if (!true_scores_path.empty()) true_scores_ = std::make_unique<OutputFile>(true_scores_path);
    summary_.queries = options.queries;
    summary_.features = options.features;
    summary_.grade_counts.assign(static_cast<std::size_t>(options.grades), 0);
  }

  void write(const TextBlock& block) {
    data_.write(block.data);
    if (true_scores_) true_scores_->write(block.true_scores);
    summary_.documents += block.num_rows;
    summary_.non_zeros += block.non_zeros;
    summary_.bytes += static_cast<std::int64_t>(block.data.size());
    for (std::size_t grade = 0; grade < block.grade_counts.size(); ++grade) {
      summary_.grade_counts[grade] += block.grade_counts[grade];
    }
  }

  void commit() {
    data_.commit();
    if (true_scores_) true_scores_->commit();
  }

  const std::string& name() const { return data_.name(); }
  const SynthSummary& summary() const { return summary_; }

 private:
  OutputFile data_;
  std::unique_ptr<OutputFile> true_scores_;
  SynthSummary summary_;
};

}  // namespace

SynthSummary write_synthetic(const std::string& path, const SynthOptions& options,
                             const std::string& true_scores_path, int threads,
                             const Progress& progress) {
  validate(options);
  if (!true_scores_path.empty() && true_scores_path == path) {
    throw Error(ErrorKind::option, "true_scores = '" + path + "' is where the data goes");
  }
  TextSink sink(path, true_scores_path, options);
  const SyntheticSource source(options);
  const std::int64_t num_rows = source.num_rows();
  const std::string stage = "writing " + sink.name();
  stream_blocks<TextBlock>(
      BlockPlan(source), threads,
      [&](const RowRange& range, TextBlock& block) {
        make_text(source, range, !true_scores_path.empty(), block);
      },
      [&](const TextBlock& block) {
        sink.write(block);
        if (progress && !progress({stage, sink.summary().documents, num_rows, "rows"})) {
          throw Error(ErrorKind::interrupted, sink.name() + ": stopped before it was complete");
        }
      });
  sink.commit();
  return sink.summary();
}

}  // namespace rankine
