#include "framework/text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <rankine/fields.hpp>
#include <rankine/printable.hpp>

namespace rankine::cli {
namespace {

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string lower;
    for (const char* c = value; *c != '\0'; ++c) {
      lower += static_cast<char>(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    }
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

bool looks_like_number(std::string_view text) {
  const auto first = text.find_first_not_of("+-~<>");
  return text.empty() || text == "-" ||
         (first != std::string_view::npos && text[first] >= '0' && text[first] <= '9');
}

std::string formatted(const char* format, int precision, double value) {
  std::array<char, 400> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), format, precision, value);
  return {buffer.data(), static_cast<std::size_t>(std::max(length, 0))};
}

std::string padded(const std::string& cell, int width, bool right) {
  const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(cell))), ' ');
  return right ? space + cell : cell + space;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) : header_(std::move(header)) {
  for (std::string& cell : header_) cell = printable(cell);
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::text(int indent) const {
  std::size_t num_columns = header_.size();
  for (const auto& row : rows_) num_columns = std::max(num_columns, row.size());
  std::vector<int> widths(num_columns, 0);
  std::vector<bool> right(num_columns, true);
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], display_width(row[c]));
    }
  };
  widen(header_);
  for (const auto& row : rows_) {
    widen(row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      right[c] = right[c] && looks_like_number(row[c]);
    }
  }
  std::string out;
  const auto write_row = [&](const std::vector<std::string>& row) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += (c > 0 ? "  " : "") + padded(row[c], widths[c], right[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  if (!header_.empty()) write_row(header_);
  for (const auto& row : rows_) write_row(row);
  return out;
}

std::string count_text(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string counted_text(std::int64_t value, std::string_view unit) {
  const std::string text = count_text(value) + " ";
  if (value == 1) return text + std::string(unit);
  if (unit.ends_with("y")) return text + std::string(unit.substr(0, unit.size() - 1)) + "ies";
  return text + std::string(unit) + "s";
}

std::string number_text(double value, int digits) {
  return formatted("%.*g", digits, value);
}

std::string decimals_text(double value, int decimals) {
  return formatted("%.*f", decimals, value);
}

std::string bytes_text(double bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return number_text(bytes, 3) + " " + kUnits[unit];
}

std::string quantity_text(double value, std::string_view unit) {
  if (unit == "bytes") return bytes_text(value);
  const std::string number = std::abs(value) >= 100 || value == std::floor(value)
                                 ? count_text(std::llround(value))
                                 : number_text(value, 3);
  if (unit.empty()) return number;
  if (value != 1) return number + " " + std::string(unit);
  const bool ends_in_ies = unit.ends_with("ies");
  return number + " " + std::string(unit.substr(0, unit.size() - (ends_in_ies ? 3 : 1))) +
         (ends_in_ies ? "y" : "");
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "for ever";
  if (seconds < 9.95) return number_text(seconds, 2) + " s";
  const auto whole = std::llround(seconds);
  const auto two = [](long long part) { return (part < 10 ? "0" : "") + std::to_string(part); };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two(whole / 60 % 60) + " min";
}

int display_width(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

std::string fit_text(std::string_view text, int width) {
  std::string fitted;
  int used = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u && ++used > width) break;
    fitted += c;
  }
  return fitted;
}

std::string wrap_text(std::string_view text, int width, int indent) {
  std::string out;
  int column = 0;
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    const int length = display_width(word);
    if (column > 0 && column + 1 + length > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
  }
  return out;
}

std::string bar_text(double share, int width, char empty) {
  static const bool kUtf8 = utf8_locale();
  static constexpr std::array kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double filled = std::clamp(share, 0.0, 1.0) * width;
  auto whole = static_cast<int>(filled);
  std::string bar;
  for (int column = 0; column < whole; ++column) bar += kUtf8 ? "█" : "#";
  if (kUtf8 && whole < width) {
    const auto eighth = static_cast<std::size_t>((filled - whole) * 8);
    bar += kEighths[eighth];
    whole += eighth > 0 ? 1 : 0;
  }
  return bar + std::string(static_cast<std::size_t>(width - whole), empty);
}

std::string spark_text(std::span<const std::int64_t> values) {
  static const bool kUtf8 = utf8_locale();
  static constexpr std::array kHeights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::int64_t most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string chart;
  for (const std::int64_t value : values) {
    // A value above 0 is never shown as an empty bar.
    const double share = most > 0 ? static_cast<double>(value) / static_cast<double>(most) : 0;
    const auto height = value == 0 ? 0 : std::max(1, static_cast<int>(std::lround(share * 8)));
    chart += kUtf8 ? kHeights[static_cast<std::size_t>(height)]
                   : (height == 0 ? "." : std::to_string(height).c_str());
  }
  return chart;
}

}  // namespace rankine::cli
