// How option values are written and read; declared in include/rankine/fields.hpp.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fast_float/fast_float.h>

#include <rankine/fields.hpp>

namespace rankine {
namespace {

bool parse_plain(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
}

[[noreturn]] void throw_not_a(std::string_view option, std::string_view text,
                              std::string_view what) {
  throw Error(ErrorKind::option,
              std::string(option) + " = '" + std::string(text) + "' is not " + std::string(what));
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Levenshtein distance regardless of case, for suggestions.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

Candidates::Candidates(std::vector<double> values) : values_(std::move(values)) {
  // Not a number: refused by the option's range, and has no place in an order.
  if (std::any_of(values_.begin(), values_.end(), [](double v) { return std::isnan(v); })) return;
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
}

double parse_real(std::string_view option, std::string_view text) {
  double value = 0;
  const auto caret = text.find('^');
  if (caret == std::string_view::npos) {
    if (parse_plain(text, value)) return value;
  } else {
    double exponent = 0;
    if (parse_plain(text.substr(0, caret), value) &&
        parse_plain(text.substr(caret + 1), exponent)) {
      return std::pow(value, exponent);
    }
  }
  throw_not_a(option, text, "a number");
}

std::int64_t parse_integer(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc{} && result.ptr == end) return value;
  // 1e6 and 2^20 are whole numbers too.
  double real = 0;
  try {
    real = parse_real(option, text);
  } catch (const Error&) {
    throw_not_a(option, text, "a whole number");
  }
  if (!(std::abs(real) <= 9007199254740992.0) || real != std::floor(real)) {
    throw_not_a(option, text, "a whole number");
  }
  return static_cast<std::int64_t>(real);
}

bool parse_flag(std::string_view option, std::string_view text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off") return false;
  throw_not_a(option, text, "true or false");
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::string real_text(double value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

void throw_out_of_range(std::string_view option, std::string_view value, std::string_view range) {
  throw Error(ErrorKind::option,
              std::string(option) + " = " + std::string(value) + " must be " + std::string(range));
}

std::string_view nearest_spelling(std::string_view text,
                                  std::span<const std::string_view> candidates) {
  std::string_view nearest;
  std::size_t least = 3;  // further away is no typing slip
  for (const std::string_view candidate : candidates) {
    const std::size_t all = std::max(text.size(), candidate.size());  // nothing in common
    if (all - std::min(text.size(), candidate.size()) >= least) continue;
    if (const auto distance = edit_distance(text, candidate); distance < std::min(least, all)) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

void throw_unknown_choice(std::string_view option, std::string_view value,
                          std::span<const std::string_view> choices) {
  std::string message = std::string(option) + " = '" + std::string(value) + "' is none of ";
  for (std::size_t index = 0; index < choices.size(); ++index) {
    message += (index > 0 ? ", " : "") + std::string(choices[index]);
  }
  if (const auto nearest = nearest_spelling(value, choices); !nearest.empty()) {
    message += " (did you mean " + std::string(nearest) + "?)";
  }
  throw Error(ErrorKind::option, message);
}

}  // namespace rankine
