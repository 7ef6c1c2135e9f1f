// LETOR / SVMlight text to rows: `grade [qid:id] index:value ... [# comment]`, one row per line.
// Pure: a block of whole lines in, its rows or its first error out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

struct SvmlightOptions {
  bool zero_based = false;
  bool keep_comments = false;
  bool skip_features = false;
  bool missing_is_error = false;
};

/// Where in a block, counted from 1, and what.
struct TextError {
  std::int64_t line = 0;
  std::int64_t column = 0;  // in bytes
  std::string message;
};

/// Rows [first_row, next run's first_row) belong to the query `id`.
struct QueryRun {
  std::size_t first_row = 0;
  std::string_view id;
};

/// Uninitialised memory that is kept from block to block, with room for one a little longer: memory
/// that is not reallocated does not fragment the heap.
template <class T>
class Scratch {
 public:
  T* reserve(std::size_t size) {
    if (size > size_) {
      size_ = size + size / 8;
      values_ = std::make_unique_for_overwrite<T[]>(size_);
    }
    return values_.get();
  }
  const T* data() const { return values_.get(); }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_ = 0;
};

/// The rows of a block. Views point into its text. Reuse one object for many blocks.
struct ParsedBlock {
  std::vector<double> grades;         // by row
  std::vector<std::size_t> row_ends;  // by row: one past its last entry
  Scratch<std::uint32_t> columns;     // by entry, from 0, rising within a row
  Scratch<float> values;              // by entry
  std::vector<QueryRun> query_runs;
  std::vector<std::string_view> comments;  // by row, what follows '#'; empty unless kept
  std::int64_t num_columns = 0;            // one more than the largest column
  std::int64_t num_lines = 0;
  std::vector<MissingValue> missing;  // NULL and NaN, read as 0; by row
  bool has_query_ids = false;
  std::int64_t first_row_line = 0;    // of the first row: its line, from 1
  std::int64_t first_row_column = 0;  // and where its qid is or should be
  std::optional<TextError> error;     // the first; rows before it are complete

  std::size_t num_rows() const { return grades.size(); }
  std::size_t num_entries() const { return row_ends.empty() ? 0 : row_ends.back(); }
};

/// One more than the largest column a row may have.
inline constexpr std::int64_t kMaxColumns = 4294967295;

/// What to say where a row has a query id and rows before it have none, or the reverse.
std::string mixed_query_ids_message(bool row_has_id);

/// Requires: text ends with a line's end, or with the input and then bytes that are 0;
/// InputBytes::kPadding bytes after it can be read.
void parse_svmlight(std::string_view text, const SvmlightOptions& options, ParsedBlock& block);

}  // namespace rankine
