// Blocks of lines pass through a pipeline: one thread at a time takes the next block from the
// input, any number parse, and blocks are put together in the order of the text. Errors travel with
// their block, so that the first of the text is the one reported. A block's rows are copied from
// cache to their final place, and the text behind them is given back.
#include "data/letor_reader.hpp"

#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>

#include "base/parallel.hpp"
#include "data/dataset_builder.hpp"
#include "data/feature_collector.hpp"
#include "data/query_numbers.hpp"
#include "data/svmlight_parser.hpp"

namespace rankine {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::int64_t kBytesPerReport = std::int64_t{1} << 23;

class LetorReader {
 public:
  LetorReader(InputBytes& input, const ReadOptions& options, const Progress& progress)
      : input_(input),
        options_(options),
        progress_(progress),
        stage_("reading " + input.name()),
        features_(input.name(), options.skip_features ? Storage::dense : options.storage,
                  options.skip_features ? 0 : options.num_features) {}

  Dataset read(std::size_t block_bytes) {
    const auto workers = static_cast<std::size_t>(num_worker_threads(options_.threads));
    std::vector<Slot> slots(workers == 1 ? 1 : 2 * workers + 1);
    const SvmlightOptions parser_options{options_.zero_based, options_.keep_comments,
                                         options_.skip_features};
    parallel_pipeline(
        options_.threads, slots.size(),
        [&](std::size_t slot) { return next_lines(slots[slot].lines, block_bytes); },
        [&](std::size_t slot) {
          parse_svmlight(slots[slot].lines.text, parser_options, slots[slot].rows);
        },
        [&](std::size_t slot) {
          add(slots[slot].rows, slots[slot].lines.text.size());
          consumed_ = slots[slot].lines.consumed;
          if (consumed_ - reported_ >= kBytesPerReport) report();
          input_.release(slots[slot].lines);
        });
    if (grades_.empty()) throw Error(ErrorKind::data, input_.name() + ": no documents");
    report();
    return build();
  }

 private:
  struct Slot {
    LineBlock lines;
    ParsedBlock rows;
  };

  bool next_lines(LineBlock& lines, std::size_t block_bytes) {
    if (!input_.next_lines(lines, block_bytes)) return false;
    if (at_start_ && lines.text.starts_with(kByteOrderMark)) {
      lines.text.remove_prefix(kByteOrderMark.size());
    }
    at_start_ = false;
    return true;
  }

  void add(const ParsedBlock& block, std::size_t num_text_bytes) {
    check(block);
    if (grades_.empty()) expect_rows_like(block, num_text_bytes);
    const std::size_t first_row = grades_.size();
    grades_.insert(grades_.end(), block.grades.begin(), block.grades.end());
    for (const QueryRun& run : block.query_runs) {
      query_of_row_.resize(first_row + run.first_row, last_query_);
      last_query_ = query_numbers_.number(run.id);
    }
    query_of_row_.resize(grades_.size(), last_query_);
    features_.add({block.row_ends,
                   {block.columns.data(), block.num_entries()},
                   {block.values.data(), block.num_entries()},
                   block.num_columns});
    for (const std::string_view comment : block.comments) {
      comment_bytes_.insert(comment_bytes_.end(), comment.begin(), comment.end());
      comment_offsets_.push_back(static_cast<std::int64_t>(comment_bytes_.size()));
    }
    num_missing_ += block.num_missing;
    num_lines_ += block.num_lines;
  }

  /// Reserves by the first rows, so that vectors do not double as the text goes on.
  void expect_rows_like(const ParsedBlock& block, std::size_t num_text_bytes) {
    has_query_ids_ = block.has_query_ids;
    if (!input_.is_mapped() || block.num_rows() == 0) return;
    const double bytes_per_row =
        static_cast<double>(num_text_bytes) / static_cast<double>(block.num_rows());
    const double expected = static_cast<double>(input_.num_bytes()) / bytes_per_row;
    grades_.reserve(static_cast<std::size_t>(expected * 1.1) + 1);
    query_of_row_.reserve(static_cast<std::size_t>(expected * 1.1) + 1);
  }

  void check(const ParsedBlock& block) const {
    if (!grades_.empty() && block.first_row_line > 0 && block.has_query_ids != has_query_ids_) {
      fail({block.first_row_line, block.first_row_column,
            mixed_query_ids_message(block.has_query_ids)});
    }
    if (block.error) fail(*block.error);
  }

  [[noreturn]] void fail(const TextError& error) const {
    throw Error(ErrorKind::data, input_.name() + ":" + std::to_string(num_lines_ + error.line) +
                                     ":" + std::to_string(error.column) + ": " + error.message);
  }

  void report() {
    reported_ = consumed_;
    if (!input_.is_mapped()) return;  // a stream's ReadWatch tells, and from another thread
    if (progress_ && !progress_({stage_, consumed_, input_.num_bytes(), "bytes"})) {
      throw Error(ErrorKind::interrupted, input_.name() + ": reading was interrupted");
    }
  }

  Dataset build() {
    ParsedRows rows;
    // Rows that have to move do so before the matrix is shared, while it can be changed in place.
    const auto order = gathering_order(query_of_row_, query_numbers_.size());
    rows.features_are_gathered = !order.empty() && features_.permute(order);
    rows.features = features_.finish();
    rows.grades = std::move(grades_);
    rows.query_of_row = std::move(query_of_row_);
    rows.query_ids = query_numbers_.finish();
    if (options_.keep_comments) {
      rows.comments = {std::move(comment_bytes_), std::move(comment_offsets_)};
    }
    rows.num_missing = num_missing_;
    return build_dataset(input_.name(), std::move(rows));
  }

  InputBytes& input_;
  const ReadOptions& options_;
  const Progress& progress_;
  std::string stage_;
  bool at_start_ = true;

  FeatureCollector features_;
  std::vector<double> grades_;
  std::vector<std::uint32_t> query_of_row_;
  QueryNumbers query_numbers_;
  std::uint32_t last_query_ = 0;
  bool has_query_ids_ = false;
  std::vector<char> comment_bytes_;
  std::vector<std::int64_t> comment_offsets_{0};
  std::int64_t num_missing_ = 0;
  std::int64_t num_lines_ = 0;
  std::int64_t consumed_ = 0;  // bytes
  std::int64_t reported_ = 0;
};

}  // namespace

Dataset read_letor_text(InputBytes& input, const ReadOptions& options, const Progress& progress,
                        std::size_t block_bytes) {
  return LetorReader(input, options, progress).read(block_bytes);
}

}  // namespace rankine
