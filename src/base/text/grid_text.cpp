// How grids of values are written and read; declared in include/rankine/fields.hpp.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/fields.hpp>

namespace rankine {
namespace {

constexpr std::int64_t kMostValues = 10'000;

[[noreturn]] void throw_grid(std::string_view option, std::string_view part,
                             const std::string& why) {
  throw Error(ErrorKind::option, std::string(option) + ": '" + std::string(part) + "' " + why);
}

/// Rounded to 12 significant digits: the last digits of pow differ between C libraries, and
/// 0.01..10:4 should contain 0.1.
double rounded(double value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::scientific, 11);
  return parse_real("", {buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())});
}

void check_count(std::string_view option, std::string_view part, double count) {
  if (count > static_cast<double>(kMostValues)) {
    throw_grid(option, part, "has more than " + std::to_string(kMostValues) + " values");
  }
}

/// "0.01..10:20".
void add_logarithmic(std::string_view option, std::string_view part, double first, double last,
                     std::string_view count_text, std::vector<double>& values) {
  const std::int64_t count = parse_integer(option, count_text);
  if (count < 2) throw_grid(option, part, "needs 2 values or more after the colon");
  check_count(option, part, static_cast<double>(count));
  if (first <= 0) throw_grid(option, part, "is spaced by logarithms, so it must start above 0");
  for (std::int64_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(k == 0           ? first
                     : k == count - 1 ? last
                                      : rounded(first * std::pow(last / first, share)));
  }
}

/// "2^-12..2^6".
void add_powers(std::string_view option, std::string_view part, std::string_view from,
                std::string_view to, std::vector<double>& values) {
  const auto caret = from.find('^');
  const std::string_view base = from.substr(0, caret);
  if (caret == std::string_view::npos || to.substr(0, to.find('^')) != base || base == to) {
    throw_grid(option, part,
               "needs a number of values, as in 0.01..10:20, or powers of one base, as in "
               "2^-12..2^6");
  }
  const double first = parse_real(option, from.substr(caret + 1));
  const double last = parse_real(option, to.substr(caret + 1));
  check_count(option, part, std::abs(last - first));
  for (double exponent = first; exponent <= last; ++exponent) {
    values.push_back(std::pow(parse_real(option, base), exponent));
  }
}

void add_part(std::string_view option, std::string_view part, std::vector<double>& values) {
  const auto dots = part.find("..");
  if (dots == std::string_view::npos) {
    values.push_back(parse_real(option, part));
    return;
  }
  const std::string_view from = part.substr(0, dots);
  const std::string_view rest = part.substr(dots + 2);
  const auto colon = rest.find(':');
  const std::string_view to = rest.substr(0, colon);
  const double first = parse_real(option, from);
  const double last = parse_real(option, to);
  if (!std::isfinite(first) || !std::isfinite(last)) throw_grid(option, part, "must be finite");
  if (!(first < last)) throw_grid(option, part, "must rise from left to right");
  if (colon == std::string_view::npos) {
    add_powers(option, part, from, to, values);
  } else {
    add_logarithmic(option, part, first, last, rest.substr(colon + 1), values);
  }
}

template <class T>
void drop_repeated(std::vector<T>& values) {
  std::vector<T> once;
  for (const T& value : values) {
    if (std::find(once.begin(), once.end(), value) == once.end()) once.push_back(value);
  }
  values = std::move(once);
}

/// Every value an entry takes, as it writes it; the entry's own value is as before afterwards.
std::vector<std::string> accepted(const OptionEntry& entry, std::vector<std::string> values) {
  const std::string before = entry.text();
  try {
    for (std::string& value : values) {
      entry.assign(value);
      value = entry.text();
    }
  } catch (...) {
    entry.assign(before);
    throw;
  }
  entry.assign(before);
  drop_repeated(values);
  return values;
}

}  // namespace

std::vector<double> parse_grid(std::string_view option, std::string_view text) {
  if (text.empty()) throw Error(ErrorKind::option, std::string(option) + ": the grid is empty");
  std::vector<double> values;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (part.empty()) throw_grid(option, text, "has an empty place");
    add_part(option, part, values);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  check_count(option, text, static_cast<double>(values.size()));
  drop_repeated(values);
  return values;
}

std::vector<std::string> parse_grid(const OptionEntry& entry, std::string_view text) {
  if (entry.type == OptionType::real || entry.type == OptionType::integer ||
      entry.type == OptionType::candidates) {
    std::vector<std::string> values;
    for (const double value : parse_grid(entry.name, text)) {
      // Logarithmic steps between whole numbers are rounded; 1.5 written out is still refused.
      const bool spaced = entry.type == OptionType::integer && text.find(':') != text.npos;
      values.push_back(real_text(spaced ? std::round(value) : value));
    }
    return accepted(entry, std::move(values));
  }
  std::vector<std::string> values = parse_list(text);
  if (values.empty()) throw Error(ErrorKind::option, entry.name + ": the grid is empty");
  return accepted(entry, std::move(values));
}

}  // namespace rankine
