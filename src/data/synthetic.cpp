// Rows are made by blocks, several at a time; while a wave of blocks is being made, the wave before
// it is written, in order. A block may start and end anywhere in a query, so one query of any
// length needs no more memory than many.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/synth.hpp>

#include "base/decimal_text.hpp"
#include "base/output_file.hpp"
#include "base/parallel.hpp"
#include "data/synthetic_source.hpp"

namespace rankine {
namespace {

/// Documents that follow each other, from `document` of `query` on.
struct RowRange {
  std::int64_t query = 0;
  std::int64_t document = 0;
  std::int64_t num_rows = 0;
};

/// Cuts all rows into blocks of up to `block_rows`.
class RowPlan {
 public:
  RowPlan(const SyntheticSource& source, std::int64_t block_rows)
      : source_(source), block_rows_(block_rows) {}

  bool at_end() const { return next_.query == source_.options().queries; }

  /// Requires: not at_end().
  RowRange next_block() {
    RowRange block = next_;
    while (!at_end() && block.num_rows < block_rows_) {
      const std::int64_t left = source_.query_length(next_.query) - next_.document;
      const std::int64_t taken = std::min(left, block_rows_ - block.num_rows);
      block.num_rows += taken;
      next_.document += taken;
      if (taken == left) next_ = {next_.query + 1, 0, 0};
    }
    return block;
  }

 private:
  const SyntheticSource& source_;
  std::int64_t block_rows_;
  RowRange next_;
};

/// Calls visit(query, document, row) for each row of a range, numbers from 0.
template <class Visit>
void for_each_row(const SyntheticSource& source, RowRange range, Visit visit) {
  SyntheticRow row;
  while (range.num_rows > 0) {
    const SyntheticQuery query = source.query(range.query);
    const std::int64_t last =
        std::min(source.query_length(range.query), range.document + range.num_rows);
    range.num_rows -= last - range.document;
    for (; range.document < last; ++range.document) {
      source.make_row(query, range.document, row);
      visit(range.query, range.document, row);
    }
    range = {range.query + 1, 0, range.num_rows};
  }
}

std::int64_t num_rows_of(const SyntheticSource& source) {
  const SynthOptions& options = source.options();
  if (options.lengths == LengthDistribution::fixed) return options.queries * options.documents;
  std::int64_t total = 0;
  for (std::int64_t query = 0; query < options.queries; ++query) {
    total += source.query_length(query);
  }
  return total;
}

/// Rows that make a block of about a megabyte of text.
std::int64_t block_rows_of(const SyntheticSource& source) {
  constexpr double kBlockBytes = 1 << 20;
  constexpr double kValueBytes = 12;
  constexpr double kOtherBytes = 40;
  const double rows = kBlockBytes / (kValueBytes * source.row_size() + kOtherBytes);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(rows));
}

char* write_text(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

constexpr std::size_t kLongestReal = 32;

/// The shortest text that reads back as the same number.
char* write_real(char* out, double value) {
  return std::to_chars(out, out + kLongestReal, value).ptr;
}

/// The document's number within the data, in words: query and document from 1.
char* write_document_id(char* out, std::int64_t query, std::int64_t document) {
  out = write_text(out, "docid = ");
  out = write_natural(out, static_cast<std::uint64_t>(query) + 1);
  *out++ = '-';
  return write_natural(out, static_cast<std::uint64_t>(document) + 1);
}

/// The most bytes a line takes, but for its values; and for each of these.
constexpr std::size_t kLongestFrame = kLongestReal + 4 * kLongestNatural + 32;
constexpr std::size_t kLongestValue = 2 + kLongestNatural + kLongestMillionths;

/// grade qid:N 1:0.123456 ... #docid = N-D
char* write_row(char* out, std::int64_t query, std::int64_t document, const SyntheticRow& row,
                bool real_grades) {
  out = real_grades ? write_real(out, row.grade)
                    : write_natural(out, static_cast<std::uint64_t>(row.grade));
  out = write_text(out, " qid:");
  out = write_natural(out, static_cast<std::uint64_t>(query) + 1);
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    *out++ = ' ';
    out = write_natural(out, std::uint64_t{row.columns[k]} + 1);
    *out++ = ':';
    out = write_millionths(out, row.millionths[k]);
  }
  out = write_text(out, " #");
  out = write_document_id(out, query, document);
  *out++ = '\n';
  return out;
}

/// One block's text and counts. Reused from wave to wave.
struct TextBlock {
  RowRange range;
  std::string data;
  std::string true_scores;
  std::int64_t non_zeros = 0;
  std::vector<std::int64_t> grade_counts;
  std::vector<char> line;
};

void make_text(const SyntheticSource& source, bool with_true_scores, TextBlock& block) {
  const int grades = source.options().grades;
  block.data.clear();
  block.true_scores.clear();
  block.non_zeros = 0;
  block.grade_counts.assign(static_cast<std::size_t>(grades), 0);
  for_each_row(source, block.range,
               [&](std::int64_t query, std::int64_t document, const SyntheticRow& row) {
                 const std::size_t needed = kLongestFrame + kLongestValue * row.columns.size();
                 if (block.line.size() < needed) block.line.resize(needed);
                 char* const begin = block.line.data();
                 block.data.append(begin, write_row(begin, query, document, row, grades == 0));
                 block.non_zeros += static_cast<std::int64_t>(row.columns.size());
                 if (grades > 0) ++block.grade_counts[static_cast<std::size_t>(row.grade)];
                 if (with_true_scores) {
                   char* const end = write_real(begin, row.true_score);
                   *end = '\n';
                   block.true_scores.append(begin, end + 1);
                 }
               });
}

/// Where blocks go, in order, and the count of what went there.
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
    summary_.documents += block.range.num_rows;
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
  const SyntheticSource source(options);
  TextSink sink(path, true_scores_path, options);
  RowPlan plan(source, block_rows_of(source));
  const std::int64_t total = num_rows_of(source);
  const std::string stage = "writing " + sink.name();
  const auto wave_size = static_cast<std::size_t>(4 * num_worker_threads(threads));
  std::vector<TextBlock> wave(wave_size);
  std::vector<TextBlock> written(wave_size);
  std::size_t num_made = 0;
  std::size_t num_written = 0;
  do {
    num_made = 0;
    while (num_made < wave_size && !plan.at_end()) wave[num_made++].range = plan.next_block();
    parallel_for(static_cast<std::int64_t>(num_made) + 1, threads, [&](std::int64_t task) {
      if (task > 0) {
        make_text(source, !true_scores_path.empty(), wave[static_cast<std::size_t>(task) - 1]);
        return;
      }
      for (std::size_t block = 0; block < num_written; ++block) sink.write(written[block]);
    });
    std::swap(wave, written);
    num_written = num_made;
    if (progress && !progress({stage, sink.summary().documents, total, "rows"})) {
      throw Error(ErrorKind::interrupted, sink.name() + ": stopped before it was complete");
    }
  } while (num_made > 0);
  sink.commit();
  return sink.summary();
}

namespace {

/// The rows of one block, before they are joined.
struct DataBlock {
  RowRange range;
  std::vector<float> values;
  std::vector<std::uint32_t> columns;     // of sparse data
  std::vector<std::int64_t> row_lengths;  // of sparse data
  std::vector<double> grades;
  std::vector<double> true_scores;
  std::vector<char> comments;
  std::vector<std::int64_t> comment_lengths;
};

void make_data(const SyntheticSource& source, DataBlock& block) {
  constexpr double kMillion = 1e6;
  for_each_row(
      source, block.range, [&](std::int64_t query, std::int64_t document, const SyntheticRow& row) {
        for (const std::uint64_t millionths : row.millionths) {
          // A double in between: its rounding is too fine to move a float's.
          block.values.push_back(static_cast<float>(static_cast<double>(millionths) / kMillion));
        }
        if (!source.is_dense()) {
          block.columns.insert(block.columns.end(), row.columns.begin(), row.columns.end());
          block.row_lengths.push_back(static_cast<std::int64_t>(row.columns.size()));
        }
        block.grades.push_back(row.grade);
        block.true_scores.push_back(row.true_score);
        std::array<char, 16 + 2 * kLongestNatural> comment{};
        char* const end = write_document_id(comment.data(), query, document);
        block.comments.insert(block.comments.end(), comment.data(), end);
        block.comment_lengths.push_back(end - comment.data());
      });
}

/// One after the other, the same member of all blocks.
template <class T>
std::vector<T> joined(std::vector<DataBlock>& blocks, std::vector<T> DataBlock::*member) {
  std::size_t size = 0;
  for (const DataBlock& block : blocks) size += (block.*member).size();
  std::vector<T> all;
  all.reserve(size);
  for (DataBlock& block : blocks) {
    all.insert(all.end(), (block.*member).begin(), (block.*member).end());
    (block.*member) = {};
  }
  return all;
}

/// 0 and the sums of the first 1, 2, ... lengths.
std::vector<std::int64_t> offsets_of(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(lengths.size() + 1);
  for (const std::int64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

}  // namespace

SyntheticData make_synthetic(const SynthOptions& options, int threads) {
  validate(options);
  const SyntheticSource source(options);
  std::vector<DataBlock> blocks;
  for (RowPlan plan(source, block_rows_of(source)); !plan.at_end();) {
    blocks.emplace_back().range = plan.next_block();
  }
  parallel_for(static_cast<std::int64_t>(blocks.size()), threads, [&](std::int64_t block) {
    make_data(source, blocks[static_cast<std::size_t>(block)]);
  });

  SyntheticData result;
  result.true_scores = joined(blocks, &DataBlock::true_scores);
  Dataset& data = result.data;
  data.source = "synthetic data";
  data.grades = joined(blocks, &DataBlock::grades);
  const std::int64_t num_rows = data.num_documents();
  if (source.is_dense()) {
    data.features = DenseMatrix{num_rows, options.features, joined(blocks, &DataBlock::values)};
  } else {
    data.features =
        CsrMatrix{num_rows, options.features, offsets_of(joined(blocks, &DataBlock::row_lengths)),
                  joined(blocks, &DataBlock::columns), joined(blocks, &DataBlock::values)};
  }
  data.comments = StringList(joined(blocks, &DataBlock::comments),
                             offsets_of(joined(blocks, &DataBlock::comment_lengths)));
  std::vector<std::int64_t> lengths;
  std::vector<std::string> ids;
  for (std::int64_t query = 0; query < options.queries; ++query) {
    lengths.push_back(source.query_length(query));
    ids.push_back(std::to_string(query + 1));
  }
  data.query_offsets = offsets_of(lengths);
  data.query_ids = StringList::of(ids);
  return result;
}

}  // namespace rankine
