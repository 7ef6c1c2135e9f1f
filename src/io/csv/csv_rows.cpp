// A number written plainly is read where it stands; only a cell that is not takes the careful way,
// which knows of quotes, blanks and missing values, and whose failures are the messages users see.
#include "io/csv/csv_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <fast_float/fast_float.h>

#include "base/contract.hpp"

namespace rankine {
namespace {

class ChunkParser {
 public:
  ChunkParser(const CsvText& csv, const CsvColumns& columns, CsvRowValues& rows)
      : csv_(csv), columns_(columns), rows_(rows) {}

  CsvChunkFindings parse(const CsvChunk& chunk, std::size_t first_row, float* features,
                         std::size_t width) {
    std::size_t row_index = first_row;
    for (const char* next = chunk.begin; next != chunk.end;) {
      const CsvRow row = csv_row(next, chunk.end);
      next = row.next;
      if (row.blank()) continue;
      row_index_ = row_index++;
      parse_row(row, row_index_, features);
      features += width;
    }
    RANKINE_ASSERT(row_index - first_row == static_cast<std::size_t>(chunk.num_rows));
    return std::move(findings_);
  }

 private:
  void parse_row(const CsvRow& row, std::size_t row_index, float* features) {
    row_ = row;
    feature_ = 0;
    const char* next = row.begin;
    for (column_ = 0; column_ < columns_.roles.size(); ++column_) {
      if (next == nullptr) fail_number_of_cells();
      switch (columns_.roles[column_]) {
        case CsvRole::feature:
          next = parse_feature(next, *features);
          if (*features != 0) ++findings_.num_nonzero;
          ++features;
          ++feature_;
          break;
        case CsvRole::grade:
          next = parse_needed_number(next, "grade", rows_.grades[row_index]);
          break;
        case CsvRole::query_id:
          next = parse_query_id(next, rows_.query_of_row[row_index]);
          break;
        case CsvRole::weight:
          next = parse_weight(next, rows_.weights[row_index]);
          break;
        case CsvRole::document_id:
          next = parse_document_id(next, rows_.comments[row_index]);
          break;
        case CsvRole::ignored:
          next = csv_cell(csv_, row_, next).next;
          break;
      }
    }
    if (next != nullptr) fail_number_of_cells();
  }

  /// The cell's finite number, when it is written plainly: returns the byte after it, else null.
  template <class T>
  const char* parse_plain(const char* begin, T& value) const {
    if (begin == row_.end || !(*begin == '-' || *begin == '.' || (*begin >= '0' && *begin <= '9')))
      return nullptr;
    const auto result = fast_float::from_chars(begin, row_.end, value);
    if (result.ec != std::errc{} || !std::isfinite(value)) return nullptr;
    return result.ptr == row_.end || *result.ptr == csv_.separator ? result.ptr : nullptr;
  }

  const char* parse_feature(const char* begin, float& value) {
    if (const char* const end = parse_plain(begin, value)) {
      return end == row_.end ? nullptr : end + 1;
    }
    const CsvCell cell = csv_cell(csv_, row_, begin);
    if (is_missing(cell)) {
      if (columns_.missing_is_error) {
        fail(cell, " is missing (missing = error)");
      }
      value = 0;
      findings_.missing.push_back({static_cast<std::int64_t>(row_index_), feature_});
    } else {
      value = number<float>(cell);
    }
    return cell.next;
  }

  const char* parse_needed_number(const char* begin, const char* what, double& value) {
    if (const char* const end = parse_plain(begin, value)) {
      return end == row_.end ? nullptr : end + 1;
    }
    const CsvCell cell = csv_cell(csv_, row_, begin);
    check_not_missing(cell, what);
    value = number<double>(cell);
    return cell.next;
  }

  const char* parse_weight(const char* begin, double& value) {
    const char* const next = parse_needed_number(begin, "weight", value);
    if (value < 0) {
      fail(csv_cell(csv_, row_, begin), " is below 0: weights are not negative");
    }
    return next;
  }

  const char* parse_query_id(const char* begin, std::uint32_t& query) {
    const CsvCell cell = csv_cell(csv_, row_, begin);
    if (cell.text.empty()) fail_missing(cell, "query id");  // any other string is an id
    if (cell.text != last_query_text_ || cell.quoted != last_query_quoted_) {
      const auto next_number = static_cast<std::uint32_t>(findings_.query_ids.size());
      const auto [place, is_new] = query_numbers_.try_emplace(csv_value(cell), next_number);
      if (is_new) findings_.query_ids.push_back(place->first);
      last_query_ = place->second;
      last_query_text_ = cell.text;
      last_query_quoted_ = cell.quoted;
    }
    query = last_query_;
    return cell.next;
  }

  /// As the comments of LETOR text have it, so that all else follows.
  const char* parse_document_id(const char* begin, std::string& comment) {
    const CsvCell cell = csv_cell(csv_, row_, begin);
    const std::string id = csv_value(cell);
    if (id.empty()) fail_missing(cell, "document id");
    if (id.find_first_of(" \t\r\n") != std::string::npos) {
      fail(cell, " has a blank: no run can name such a document");
    }
    comment = " docid = " + id;
    return cell.next;
  }

  /// Empty, NULL, or NaN in any case of its letters.
  static bool is_missing(const CsvCell& cell) {
    constexpr std::string_view kNotANumber = "nan";
    const std::string_view text = cell.text;
    return text.empty() || text == "NULL" ||
           std::equal(text.begin(), text.end(), kNotANumber.begin(), kNotANumber.end(),
                      [](char a, char b) { return (a | ' ') == b; });
  }

  void check_not_missing(const CsvCell& cell, const char* what) const {
    if (is_missing(cell)) fail_missing(cell, what);
  }

  [[noreturn]] void fail_missing(const CsvCell& cell, const char* what) const {
    check_number_of_cells();
    csv_.fail(cell.begin,
              std::string("the ") + what + " is missing (column " + column_name() + ")");
  }

  template <class T>
  T number(const CsvCell& cell) const {
    T value = 0;
    const char* first = cell.text.data();
    const char* const end = first + cell.text.size();
    if (end - first > 1 && *first == '+' && first[1] != '-') ++first;
    const auto result = fast_float::from_chars(first, end, value);
    if (result.ptr != end ||
        (result.ec != std::errc{} && result.ec != std::errc::result_out_of_range)) {
      fail_not_a_number(cell);
    }
    if (std::isfinite(value)) return value;
    if (std::none_of(first, end, [](char c) { return c >= '0' && c <= '9'; })) {
      fail(cell, " is infinite: values must be finite");
    }
    fail(cell, std::is_same_v<T, float> ? " is too large for a 32-bit number (3.4e38)"
                                        : " is too large for a 64-bit number (1.8e308)");
  }

  [[noreturn]] void fail_not_a_number(const CsvCell& cell) const {
    if (csv_.separator == ';' && cell.text.find(',') != std::string_view::npos) {
      fail(cell, " is not a number: the decimal sign is a point");
    }
    fail(cell,
         columns_.roles[column_] == CsvRole::feature
             ? " is not a number: --ignore " + columns_.names[column_] + " leaves the column out"
             : " is not a number");
  }

  [[noreturn]] void fail(const CsvCell& cell, const std::string& message) const {
    check_number_of_cells();
    csv_.fail(cell.begin, shown(cell.text) + " in column " + column_name() + message);
  }

  std::string column_name() const { return shown(columns_.names[column_]); }

  /// A separator too many or too few makes all that follows look wrong: that is the better message.
  void check_number_of_cells() const {
    std::size_t count = 0;
    for (const char* next = row_.begin; next != nullptr; ++count) {
      next = csv_cell(csv_, row_, next).next;
    }
    if (count != columns_.roles.size()) fail_number_of_cells();
  }

  [[noreturn]] void fail_number_of_cells() const {
    std::size_t count = 0;
    const char* at = row_.end;
    for (const char* next = row_.begin; next != nullptr; ++count) {
      if (count == columns_.roles.size()) at = next;
      next = csv_cell(csv_, row_, next).next;
    }
    csv_.fail(at, "the row has " + std::to_string(count) + (count == 1 ? " cell" : " cells") +
                      " where the header has " + std::to_string(columns_.roles.size()));
  }

  const CsvText& csv_;
  const CsvColumns& columns_;
  CsvRowValues& rows_;
  CsvChunkFindings findings_;
  CsvRow row_{};
  std::size_t column_ = 0;
  std::size_t row_index_ = 0;
  std::int64_t feature_ = 0;  // of the row
  std::unordered_map<std::string, std::uint32_t> query_numbers_;
  std::string_view last_query_text_;  // rows of a query mostly follow each other
  bool last_query_quoted_ = false;
  std::uint32_t last_query_ = 0;
};

}  // namespace

void CsvRowValues::resize(std::size_t num_rows, const CsvColumns& columns) {
  grades.resize(num_rows);
  query_of_row.assign(num_rows, 0);
  if (columns.has_weights) weights.resize(num_rows);
  if (columns.has_document_ids) comments.resize(num_rows);
}

CsvChunkFindings parse_csv_rows(const CsvText& csv, const CsvColumns& columns,
                                const CsvChunk& chunk, std::size_t first_row, CsvRowValues& rows,
                                float* features, std::size_t width) {
  return ChunkParser(csv, columns, rows).parse(chunk, first_row, features, width);
}

}  // namespace rankine
