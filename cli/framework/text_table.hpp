// Text for people: aligned tables, numbers with thousands apart, sizes, durations, tiny charts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankine::cli {

/// Columns that hold numbers in every row are aligned right, the others left.
class TextTable {
 public:
  /// An empty header leaves the heading out.
  explicit TextTable(std::vector<std::string> header = {});
  /// Cells are made printable: they may be what a file calls its features.
  void add(std::vector<std::string> row);
  /// Every line starts with `indent` spaces; no line ends with one.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// 1234567 as "1,234,567".
std::string count_text(std::int64_t value);
/// "1 query", "1,234 queries": with "query" for `unit`. Every count that people read is written so.
std::string counted_text(std::int64_t value, std::string_view unit);
/// To `digits` significant digits, without trailing zeros.
std::string number_text(double value, int digits = 4);
/// With a fixed number of decimals, for columns of measures.
std::string decimals_text(double value, int decimals);
/// 1536000 as "1.54 MB".
std::string bytes_text(double bytes);
/// "1.54 MB" for bytes, "1,234 rows" for the rest; `unit` as ProgressEvent has it, in the plural.
std::string quantity_text(double value, std::string_view unit);
/// "0.42 s", "3 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);

/// The columns a text takes on a screen (UTF-8, one column per character).
int display_width(std::string_view text);
/// Cut to `width` columns.
std::string fit_text(std::string_view text, int width);
/// Broken at spaces into lines of at most `width` columns; lines after the first start with
/// `indent` spaces.
std::string wrap_text(std::string_view text, int width, int indent = 0);

/// A bar of `width` columns filled to `share`; the rest is `empty`.
std::string bar_text(double share, int width, char empty = ' ');
/// One character per value, of its height: "▁▃▇" (or digits where the locale has no UTF-8).
std::string spark_text(std::span<const std::int64_t> values);

}  // namespace rankine::cli
