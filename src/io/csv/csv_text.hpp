// CSV as text (RFC 4180): rows, cells, quotes, and cuts between rows for reading in parallel. What
// the cells mean is csv_reader's business. Everything is linear in the bytes it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankine {

/// A file, or whole rows of one, with a name for messages. `text` starts after a byte order mark.
struct CsvText {
  std::string source_name;
  std::string_view text;
  char separator = ',';
  std::int64_t lines_before = 0;  // of the file, in front of `text`

  const char* end() const { return text.data() + text.size(); }
  /// "file:line:column", counted in bytes from 1.
  std::string place(const char* at) const;
  /// Throws Error{data}: "file:line:column: message", counted in bytes from 1.
  [[noreturn]] void fail(const char* at, const std::string& message) const;
};

/// One row without its line end, and where the next begins.
struct CsvRow {
  const char* begin;
  const char* end;
  const char* next;
  bool blank() const { return begin == end; }
};
/// The row that begins at `begin`. It ends at the first line end outside quotes, every quote mark
/// opening or closing, or with the text.
CsvRow csv_row(const char* begin, const char* text_end);

/// What a cell holds: without the blanks around it, without its quotes.
struct CsvCell {
  const char* begin = nullptr;  // its first byte in the row, blanks and quotes included
  std::string_view text;
  bool quoted = false;         // then quotes in `text` are still doubled
  const char* next = nullptr;  // where the next cell begins; null after the last of the row
};
/// The cell that begins at `begin`. Throws when a quote is where none may be, or is not closed.
CsvCell csv_cell(const CsvText& csv, const CsvRow& row, const char* begin);
/// The cell's value: doubled quotes made single.
std::string csv_value(const CsvCell& cell);

/// The text after its byte order mark, if it has one. Throws Error{data} for UTF-16.
std::string_view without_byte_order_mark(const std::string& source_name, std::string_view text);
/// The first row that is not blank, from which it sets the separator. Throws when there is none.
CsvRow find_csv_header(CsvText& csv);

/// The one of comma, tab and semicolon that is in the row most often outside quotes; comma if none.
char csv_separator(const CsvRow& row);

/// Whole rows: those that begin in [begin, end).
struct CsvChunk {
  const char* begin;
  const char* end;
  std::int64_t num_rows;  // blank ones not counted
};
/// The end of the last row of `text` that is ended by a line end, or null when none is. `text`
/// begins with a row.
const char* last_row_end(std::string_view text);

/// Cuts `body`, which begins with a row, about every `chunk_bytes`. The cuts do not depend on
/// `threads`.
std::vector<CsvChunk> csv_chunks(std::string_view body, std::size_t chunk_bytes, int threads);

/// Any bytes in one short printable line, in quotes, for messages.
std::string shown(std::string_view text);

}  // namespace rankine
