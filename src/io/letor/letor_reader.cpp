// Blocks of lines pass through a pipeline: one thread at a time takes the next block from the
// input, any number parse, and blocks are put together in the order of the text. Errors travel with
// their block, so that the first of the text is the one reported. A block's rows are copied from
// cache to their final place, and the text behind them is given back.
#include "io/letor/letor_reader.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/system/process_memory.hpp"
#include "data/collect/dataset_builder.hpp"
#include "data/collect/feature_collector.hpp"
#include "data/collect/grade_collector.hpp"
#include "data/collect/query_numbers.hpp"
#include "data/collect/row_queries.hpp"
#include "io/document_stream.hpp"
#include "io/letor/svmlight_parser.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kLargeText = std::int64_t{1} << 26;

class LetorReader {
 public:
  LetorReader(InputBytes& input, const ReadOptions& options, const Progress& progress)
      : options_(options),
        source_(input, options, progress, LetorSource::Makes::rows),
        features_(input.name(), options.skip_features ? Storage::dense : options.storage,
                  options.skip_features ? 0 : options.num_features) {}

  Dataset read(std::size_t block_bytes) {
    source_.set_blocks({.num_bytes = block_bytes});
    for_each_block(source_, options_.threads, {}, [&](const DocumentBlock& block, std::size_t) {
      const auto& parsed = static_cast<const LetorBlock&>(block);
      add(parsed.rows, parsed.lines);
    });
    return build();
  }

 private:
  void add(const ParsedBlock& block, const LineBlock& lines) {
    if (grades_.empty()) expect_rows_like(block, lines.text.size());
    const std::size_t first_row = grades_.size();
    grades_.add(block.grades);
    for (const QueryRun& run : block.query_runs) {
      row_queries_.start(first_row + run.first_row, query_numbers_.number(run.id));
    }
    features_.add({block.row_ends,
                   {block.columns.data(), block.num_entries()},
                   {block.values.data(), block.num_entries()},
                   block.num_columns});
    if (source_.input().is_mapped()) {
      features_.expect(static_cast<double>(source_.input().num_bytes()) /
                       static_cast<double>(lines.consumed));
    }
    for (const std::string_view comment : block.comments) {
      comment_bytes_.insert(comment_bytes_.end(), comment.begin(), comment.end());
      comment_offsets_.push_back(static_cast<std::int64_t>(comment_bytes_.size()));
    }
    for (const MissingValue& cell : block.missing) {
      missing_.push_back({static_cast<std::int64_t>(first_row) + cell.document, cell.column});
    }
  }

  /// Reserves by the first rows, so that vectors do not double as the text goes on.
  void expect_rows_like(const ParsedBlock& block, std::size_t num_text_bytes) {
    const InputBytes& input = source_.input();
    if (!input.is_mapped() || block.num_rows() == 0) return;
    const double bytes_per_row =
        static_cast<double>(num_text_bytes) / static_cast<double>(block.num_rows());
    const double expected = static_cast<double>(input.num_bytes()) / bytes_per_row;
    const auto num_rows = static_cast<std::size_t>(expected * 1.1) + 1;
    grades_.expect(num_rows);
    row_queries_.expect(num_rows);
  }

  Dataset build() {
    ParsedRows rows;
    if (row_queries_.are_gathered()) {
      rows.query_offsets = std::move(row_queries_).offsets(grades_.size());
    } else {
      rows.query_of_row = std::move(row_queries_).numbers(grades_.size());
      // Rows move before the matrix is shared, while it can be changed in place.
      const auto order = gathering_order(rows.query_of_row, query_numbers_.size());
      rows.features_are_gathered = features_.permute(order);
    }
    rows.features = features_.finish();
    rows.grades = grades_.finish();
    rows.query_ids = query_numbers_.finish();
    if (options_.keep_comments) {
      rows.comments = {std::move(comment_bytes_), std::move(comment_offsets_)};
    }
    rows.missing = std::move(missing_);
    return build_dataset(source_.input().name(), std::move(rows));
  }

  const ReadOptions& options_;
  LetorSource source_;
  FeatureCollector features_;
  GradeCollector grades_;
  RowQueries row_queries_;
  QueryNumbers query_numbers_;
  std::vector<char> comment_bytes_;
  std::vector<std::int64_t> comment_offsets_{0};
  std::vector<MissingValue> missing_;
};

}  // namespace

Dataset read_letor_text(InputBytes& input, const ReadOptions& options, const Progress& progress,
                        std::size_t block_bytes) {
  Dataset data = LetorReader(input, options, progress).read(block_bytes);
  // What blocks were parsed in is not wanted again soon; it counts beside a matrix of any size.
  if (input.num_bytes() >= kLargeText) return_free_memory();
  return data;
}

}  // namespace rankine
