#include "io/letor/letor_source.hpp"

#include <algorithm>
#include <string_view>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::int64_t kBytesPerReport = std::int64_t{1} << 23;
constexpr std::size_t kWorthDense = 4;  // dense from one entry in so many, as in FeatureCollector

/// Rows without entries are a few bytes of text each and a whole row of memory, so dense blocks
/// shrink as columns grow; sparse ones grow, so that work by column is spread over enough rows.
std::size_t suitable_bytes(Storage storage, std::int64_t num_columns) {
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(1, num_columns));
  if (storage == Storage::sparse) {
    return std::clamp(16 * width, kTextBlockBytes, std::size_t{1} << 22);
  }
  return std::clamp((std::size_t{1} << 27) / width, std::size_t{1} << 12, kTextBlockBytes);
}

}  // namespace

LetorSource::LetorSource(InputBytes& input, const ReadOptions& options, const Progress& progress,
                         Makes makes)
    : input_(input),
      progress_(progress),
      options_{options.zero_based, options.keep_comments, options.skip_features,
               options.missing == Missing::error},
      stage_("reading " + input.name()),
      makes_(makes),
      storage_(options.storage),
      least_features_(options.num_features),
      num_features_(options.num_features) {}

bool LetorSource::take_lines(LetorBlock& block) {
  const std::size_t bytes =
      blocks_.num_bytes != 0 ? blocks_.num_bytes : suitable_bytes(storage_, blocks_.num_columns);
  if (!input_.next_lines(block.lines, bytes)) return false;
  if (at_start_ && block.lines.text.starts_with(kByteOrderMark)) {
    block.lines.text.remove_prefix(kByteOrderMark.size());
  }
  at_start_ = false;
  return true;
}

void LetorSource::parse_rows(LetorBlock& block) const {
  parse_svmlight(block.lines.text, options_, block.rows);
}

bool LetorSource::take(DocumentBlock& taken) {
  auto& block = static_cast<LetorBlock&>(taken);
  if (!take_lines(block)) return false;
  if (makes_ == Makes::documents && storage_ == Storage::automatic) decide_storage(block);
  block.dense = storage_ != Storage::sparse;
  return true;
}

void LetorSource::decide_storage(LetorBlock& block) {
  parse_rows(block);
  const std::size_t num_rows = block.rows.num_rows();
  if (num_rows == 0) return;
  const auto width = static_cast<double>(std::max(least_features_, block.rows.num_columns));
  const auto num_written = static_cast<double>(kWorthDense * block.rows.num_entries());
  storage_ =
      num_written >= static_cast<double>(num_rows) * width ? Storage::dense : Storage::sparse;
}

void LetorSource::parse(DocumentBlock& parsed) const {
  auto& block = static_cast<LetorBlock&>(parsed);
  parse_rows(block);
  if (makes_ == Makes::rows) return;
  const ParsedBlock& rows = block.rows;
  block.documents.source = input_.name();
  block.grades.assign(rows.grades.begin(), rows.grades.end());
  block.query_offsets.clear();
  block.query_ids.clear();
  for (const QueryRun& run : rows.query_runs) {
    block.query_offsets.push_back(static_cast<std::int64_t>(run.first_row));
    block.query_ids.push_back(run.id);
  }
  block.query_offsets.push_back(std::ssize(block.grades));
  block.comments = rows.comments;
  block.missing = rows.missing;
  set_features(block,
               {rows.row_ends,
                {rows.columns.data(), rows.num_entries()},
                {rows.values.data(), rows.num_entries()},
                rows.num_columns},
               block.dense, blocks_.num_columns);
  set_documents(block);
}

void LetorSource::check(const DocumentBlock& parsed) {
  const ParsedBlock& rows = static_cast<const LetorBlock&>(parsed).rows;
  if (num_rows_ > 0 && rows.first_row_line > 0 && rows.has_query_ids != has_query_ids_) {
    fail({rows.first_row_line, rows.first_row_column, mixed_query_ids_message(rows.has_query_ids)});
  }
  if (rows.error) fail(*rows.error);
  if (num_rows_ == 0) has_query_ids_ = rows.has_query_ids;
  num_rows_ += static_cast<std::int64_t>(rows.num_rows());
  num_lines_ += rows.num_lines;
  num_features_ = std::max(num_features_, rows.num_columns);
}

void LetorSource::release(const DocumentBlock& used) {
  const auto& block = static_cast<const LetorBlock&>(used);
  consumed_ = block.lines.consumed;
  if (consumed_ - reported_ >= kBytesPerReport) report();
  input_.release(block.lines);
}

void LetorSource::finish() {
  if (num_rows_ == 0) throw Error(ErrorKind::data, input_.name() + ": no documents");
  report();
}

void LetorSource::fail(const TextError& error) const {
  throw Error(ErrorKind::data, input_.name() + ":" + std::to_string(num_lines_ + error.line) + ":" +
                                   std::to_string(error.column) + ": " + error.message);
}

void LetorSource::report() {
  reported_ = consumed_;
  if (!input_.is_mapped()) return;  // a stream's ReadWatch tells, and from another thread
  if (progress_ && !progress_({stage_, consumed_, input_.num_bytes(), "bytes"})) {
    throw Error(ErrorKind::interrupted, input_.name() + ": reading was interrupted");
  }
}

}  // namespace rankine
