// In dense text the index after 16 is 17: the bytes "17:" are compared as one word with a table,
// and nothing is parsed. Other indices and all values are converted eight digits at a time
// (base/text/decimal). Whatever is not so simple (signs, exponents, NULL, a mistake) goes to the
// careful functions, which also find the words for what is wrong.
#include "io/letor/svmlight_parser.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/text/decimal.hpp"

namespace rankine {
namespace {

constexpr std::string_view kQueryPrefix = "qid:";
constexpr std::size_t kShortestEntry = 4;  // "1:0 "

/// An index and its colon, at the top of a word.
struct Label {
  std::uint64_t word = 0;
  unsigned shift = 0;   // 64 less its number of bits
  unsigned length = 0;  // in bytes
};

constexpr std::size_t kNumLabels = 1024;

constexpr std::array<Label, kNumLabels> make_labels() {
  std::array<Label, kNumLabels> labels{};
  for (std::size_t index = 0; index < kNumLabels; ++index) {
    Label& label = labels[index];
    label.word = std::uint64_t{':'} << 56;
    label.shift = 56;
    std::size_t rest = index;
    do {
      label.shift -= 8;
      label.word |= static_cast<std::uint64_t>('0' + rest % 10) << label.shift;
      rest /= 10;
    } while (rest > 0);
    label.length = 8 - label.shift / 8;
  }
  return labels;
}

constexpr std::array<Label, kNumLabels> kLabels = make_labels();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Ends a number: blank, line end, comment; other bytes up to ' ' are found to be junk right after.
bool ends_word(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '#';
}

/// NULL, or NaN in any case of its letters.
bool is_missing_value(std::string_view word) {
  constexpr std::string_view kNotANumber = "nan";
  return word == "NULL" ||
         std::equal(word.begin(), word.end(), kNotANumber.begin(), kNotANumber.end(),
                    [](char a, char b) { return (a | ' ') == b; });
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kShown = 40;
  std::string text(1, '\'');
  text += word.substr(0, kShown);
  if (word.size() > kShown) text += "...";
  return text += '\'';
}

class Parser {
 public:
  Parser(std::string_view text, const SvmlightOptions& options, ParsedBlock& block)
      : options_(options),
        block_(block),
        position_(text.data()),
        end_(text.data() + text.size()),
        labels_(kLabels.data() + (options.zero_based ? 0 : 1)),
        columns_(block.columns.reserve(text.size() / kShortestEntry + 2)),
        values_(block.values.reserve(text.size() / kShortestEntry + 2)) {}

  void parse() {
    while (position_ < end_ && !block_.error) {
      line_start_ = position_;
      ++block_.num_lines;
      skip_blanks();
      if (!at_line_end() && *position_ != '#' && !parse_row()) return;
      skip_line();
    }
  }

 private:
  bool parse_row() {
    double grade = 0;
    std::string_view id;
    if (!parse_grade(grade) || !parse_query_id(id)) return false;
    if (options_.skip_features) {
      skip_to_comment();
    } else if (!parse_features()) {
      return false;
    }
    block_.grades.push_back(grade);
    block_.row_ends.push_back(num_entries_);
    if (options_.keep_comments) block_.comments.push_back(comment());
    return true;
  }

  bool parse_grade(double& grade) {
    const Decimal number = scan_decimal(position_);
    if (number.end != nullptr && ends_word(*number.end) && nearest_double(number, grade)) {
      position_ = number.end;
    } else if (!parse_grade_with_care(grade)) {
      return false;
    }
    skip_blanks();
    return true;
  }

  bool parse_grade_with_care(double& grade) {
    const std::string_view word = this_word();
    if (word.starts_with(kQueryPrefix)) return fail(word, "no grade before " + quoted(word));
    switch (parse_number(word, grade)) {
      case NumberOutcome::ok:
        break;
      case NumberOutcome::not_a_number:
        return fail(word, "the grade " + quoted(word) + " is not a number");
      case NumberOutcome::not_finite:
        return fail(word, "the grade " + quoted(word) + " is not finite");
      case NumberOutcome::too_large:
        return fail(word, "the grade " + quoted(word) + " is too large for a double");
    }
    position_ += word.size();
    return true;
  }

  bool parse_query_id(std::string_view& id) {
    const bool has_id = std::memcmp(position_, kQueryPrefix.data(), kQueryPrefix.size()) == 0;
    if (block_.first_row_line == 0) {
      block_.first_row_line = block_.num_lines;
      block_.first_row_column = column(position_);
      block_.has_query_ids = has_id;
    } else if (has_id != block_.has_query_ids) {
      return fail_at(position_, mixed_query_ids_message(has_id));
    }
    if (has_id) {
      position_ += kQueryPrefix.size();
      const char* const first = position_;
      while (!ends_word(*position_)) ++position_;
      id = {first, static_cast<std::size_t>(position_ - first)};
      if (id.empty()) return fail_at(first, "no id after 'qid:'");
      skip_blanks();
    }
    auto& runs = block_.query_runs;
    if (runs.empty() || runs.back().id != id) runs.push_back({block_.grades.size(), id});
    return true;
  }

  bool parse_features() {
    const char* p = position_;
    std::uint32_t* columns = columns_ + num_entries_;
    float* values = values_ + num_entries_;
    std::uint32_t next = 0;  // the column after the last one
    for (;;) {
      if (next < kNumLabels - 1 && is_label(p, labels_[next])) {
        p += labels_[next].length;
      } else {
        position_ = p;
        if (!is_digit(*p)) {
          if (!ends_word(*p)) return fail_word();
          skip_blanks();
          if (position_ > p && !ends_row()) {
            p = position_;
            continue;
          }
          if (!ends_row()) return fail_junk(p);
          break;
        }
        if (!parse_index(next)) return false;
        p = position_;
      }
      if (scan_six_decimals(p, *values) && ends_word(p[8])) {
        p += 8;
      } else if (const char* end = scan_short_float(p, *values);
                 end != nullptr && ends_word(*end)) {
        p = end;
      } else {
        position_ = p;
        if (!parse_value_with_care(next, *values)) return false;
        p = position_;
      }
      *columns++ = next++;
      ++values;
      if (*p == ' ') ++p;
    }
    num_entries_ = static_cast<std::size_t>(values - values_);
    block_.num_columns = std::max(block_.num_columns, std::int64_t{next});
    return true;
  }

  static bool is_label(const char* p, const Label& label) {
    return load_word(p) << label.shift == label.word;
  }

  /// Reads `index:` and makes `next` its column. Requires: a digit is next.
  bool parse_index(std::uint32_t& next) {
    const std::uint64_t word = load_word(position_);
    const unsigned count = num_leading_digits(word);
    std::uint64_t index = digits_value(word, count);
    const char* colon = position_ + count;
    if (count == 8) {
      while (is_digit(*colon) && index <= kMaxColumns) {
        index = index * 10 + static_cast<std::uint64_t>(*colon++ - '0');
      }
    }
    const std::uint64_t base = options_.zero_based ? 0 : 1;
    if (*colon != ':' || index < next + base || index >= kMaxColumns + base) {
      return fail_index(index, next);
    }
    position_ = colon + 1;
    next = static_cast<std::uint32_t>(index - base);
    return true;
  }

  bool fail_index(std::uint64_t index, std::uint32_t next) {
    const std::string_view word = this_word();
    const std::size_t num_digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (num_digits == word.size()) {
      return fail(word, quoted(word) + " has no value: expected index:value");
    }
    if (word[num_digits] != ':') return fail_word();
    const std::string text = "feature index " + std::string(word.substr(0, num_digits));
    if (index >= static_cast<std::uint64_t>(kMaxColumns) + (options_.zero_based ? 0 : 1)) {
      const std::int64_t largest = options_.zero_based ? kMaxColumns - 1 : kMaxColumns;
      return fail(word, text + " is too large: the largest is " + std::to_string(largest));
    }
    if (index == 0 && !options_.zero_based) {
      return fail(word, text + ": indices start at 1 (--zero-based if yours start at 0)");
    }
    const std::uint64_t last = next - (options_.zero_based ? 1 : 0);
    return fail(word, text + " after " + std::to_string(last) + ": indices must increase");
  }

  bool parse_value_with_care(std::uint32_t column, float& value) {
    const Decimal number = scan_decimal(position_);
    if (number.end != nullptr && ends_word(*number.end) && nearest_float(number, value)) {
      position_ = number.end;
      return true;
    }
    const std::string_view word = this_word();
    const auto index = std::to_string(column + (options_.zero_based ? 0ULL : 1ULL));
    if (word.empty()) return fail_at(position_, "feature " + index + " has no value");
    if (is_missing_value(word)) {
      if (options_.missing_is_error) {
        return fail(word, "the value " + quoted(word) + " of feature " + index +
                              " is missing (missing = error)");
      }
      value = 0;
      block_.missing.push_back({std::ssize(block_.grades), std::int64_t{column}});
      position_ += word.size();
      return true;
    }
    switch (parse_number(word, value)) {
      case NumberOutcome::ok:
        break;
      case NumberOutcome::not_a_number:
        return fail(word,
                    "the value " + quoted(word) + " of feature " + index + " is not a number");
      case NumberOutcome::not_finite:
        return fail(word, "the value " + quoted(word) + " of feature " + index + " is not finite");
      case NumberOutcome::too_large:
        return fail(word, "the value " + quoted(word) + " of feature " + index +
                              " is too large for a float (largest 3.4e38)");
    }
    position_ += word.size();
    return true;
  }

  // Where things are.

  /// Past spaces and tabs, and past returns where only a line's end follows.
  void skip_blanks() {
    while (*position_ == ' ' || *position_ == '\t') ++position_;
    const char* p = position_;
    while (*p == '\r') ++p;
    if (*p == '\n' || p == end_) position_ = p;
  }
  bool at_line_end() const { return *position_ == '\n' || position_ >= end_; }
  bool ends_row() const { return at_line_end() || *position_ == '#'; }

  std::string_view rest_of_line() const {
    const auto left = static_cast<std::size_t>(end_ - position_);
    const void* const line_end = std::memchr(position_, '\n', left);
    const char* const last = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
    return {position_, static_cast<std::size_t>(last - position_)};
  }
  void skip_line() {
    if (position_ < end_ && *position_ != '\n') position_ += rest_of_line().size();
    if (position_ < end_) ++position_;
  }
  void skip_to_comment() {
    const std::string_view rest = rest_of_line();
    const std::size_t mark = options_.keep_comments ? rest.find('#') : std::string_view::npos;
    position_ += std::min(mark, rest.size());
  }
  /// What follows '#' on this line, without a return at its end.
  std::string_view comment() const {
    if (at_line_end()) return {};
    std::string_view text = rest_of_line().substr(1);
    while (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }
  std::string_view this_word() const {
    const char* p = position_;
    while (!ends_word(*p)) ++p;
    return {position_, static_cast<std::size_t>(p - position_)};
  }

  // Mistakes. All return false.

  std::int64_t column(const char* at) const { return at - line_start_ + 1; }
  bool fail_at(const char* at, std::string message) {
    block_.error = TextError{block_.num_lines, column(at), std::move(message)};
    return false;
  }
  /// About a word; unless it is not even text.
  bool fail(std::string_view word, std::string message) {
    for (const char& c : word) {
      if (static_cast<unsigned char>(c) >= 0x7F) return fail_junk(&c);
    }
    if (word.empty()) return fail_junk(position_);
    return fail_at(word.data(), std::move(message));
  }
  bool fail_junk(const char* at) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(*at);
    if (byte == '\r') return fail_at(at, "a carriage return inside the line");
    return fail_at(at, std::string("the byte 0x") + kHex[byte / 16] + kHex[byte % 16] +
                           " does not belong in text");
  }
  bool fail_word() {
    const std::string_view word = this_word();
    if (word.starts_with(kQueryPrefix)) return fail(word, "qid must come right after the grade");
    return fail(word, quoted(word) + " is not a feature: expected index:value");
  }

  const SvmlightOptions& options_;
  ParsedBlock& block_;
  const char* position_;
  const char* end_;
  const char* line_start_ = nullptr;
  const Label* labels_;
  std::uint32_t* columns_;
  float* values_;
  std::size_t num_entries_ = 0;
};

}  // namespace

std::string mixed_query_ids_message(bool row_has_id) {
  return row_has_id ? "a qid here, but none in the rows before: give every row one or none"
                    : "no qid here, but the rows before have one: give every row one or none";
}

void parse_svmlight(std::string_view text, const SvmlightOptions& options, ParsedBlock& block) {
  block.grades.clear();
  block.row_ends.clear();
  block.query_runs.clear();
  block.comments.clear();
  block.missing.clear();
  block.num_columns = block.num_lines = 0;
  block.has_query_ids = false;
  block.first_row_line = block.first_row_column = 0;
  block.error.reset();
  Parser(text, options, block).parse();
}

}  // namespace rankine
