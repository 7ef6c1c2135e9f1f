// CSV read letter by letter, for well-formed text: the obvious version of io/csv/csv_text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankine::oracles {

/// The cells of all rows that are not blank lines. Blanks around cells are kept.
inline std::vector<std::vector<std::string>> naive_csv(std::string_view text, char separator) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false;
  bool any = false;
  const auto end_cell = [&] {
    row.push_back(cell);
    cell.clear();
  };
  const auto end_row = [&] {
    if (any) {
      end_cell();
      rows.push_back(row);
    }
    row.clear();
    any = false;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cell += '"';
        ++at;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == '\n') {
      end_row();
    } else if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') {
      continue;
    } else if (c == separator) {
      end_cell();
      any = true;
    } else {
      cell += c;
      any = true;
    }
  }
  end_row();
  return rows;
}

}  // namespace rankine::oracles
