#include "io/letor/letor_blocks.hpp"

#include <string_view>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::int64_t kBytesPerReport = std::int64_t{1} << 23;

}  // namespace

LetorBlocks::LetorBlocks(InputBytes& input, const ReadOptions& options, const Progress& progress)
    : input_(input),
      progress_(progress),
      options_{options.zero_based, options.keep_comments, options.skip_features},
      stage_("reading " + input.name()) {}

bool LetorBlocks::take(LetorBlock& block, std::size_t num_bytes) {
  if (!input_.next_lines(block.lines, num_bytes)) return false;
  if (at_start_ && block.lines.text.starts_with(kByteOrderMark)) {
    block.lines.text.remove_prefix(kByteOrderMark.size());
  }
  at_start_ = false;
  return true;
}

void LetorBlocks::parse(LetorBlock& block) const {
  parse_svmlight(block.lines.text, options_, block.rows);
}

void LetorBlocks::check(const LetorBlock& block) {
  const ParsedBlock& rows = block.rows;
  if (num_rows_ > 0 && rows.first_row_line > 0 && rows.has_query_ids != has_query_ids_) {
    fail({rows.first_row_line, rows.first_row_column, mixed_query_ids_message(rows.has_query_ids)});
  }
  if (rows.error) fail(*rows.error);
  if (num_rows_ == 0) has_query_ids_ = rows.has_query_ids;
  num_rows_ += static_cast<std::int64_t>(rows.num_rows());
  num_lines_ += rows.num_lines;
}

void LetorBlocks::release(const LetorBlock& block) {
  consumed_ = block.lines.consumed;
  if (consumed_ - reported_ >= kBytesPerReport) report();
  input_.release(block.lines);
}

void LetorBlocks::finish() {
  if (num_rows_ == 0) throw Error(ErrorKind::data, input_.name() + ": no documents");
  report();
}

void LetorBlocks::fail(const TextError& error) const {
  throw Error(ErrorKind::data, input_.name() + ":" + std::to_string(num_lines_ + error.line) + ":" +
                                   std::to_string(error.column) + ": " + error.message);
}

void LetorBlocks::report() {
  reported_ = consumed_;
  if (!input_.is_mapped()) return;  // a stream's ReadWatch tells, and from another thread
  if (progress_ && !progress_({stage_, consumed_, input_.num_bytes(), "bytes"})) {
    throw Error(ErrorKind::interrupted, input_.name() + ": reading was interrupted");
  }
}

}  // namespace rankine
