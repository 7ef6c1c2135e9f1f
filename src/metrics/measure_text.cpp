// How measures are written; declared in include/rankine/metrics.hpp.
#include <algorithm>
#include <charconv>
#include <string>

#include <rankine/metrics.hpp>

#include "metrics/measure_table.hpp"

namespace rankine {
namespace {

std::string lower_case_word(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  std::string word(text.substr(first, text.find_last_not_of(" \t") - first + 1));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

[[noreturn]] void throw_measure_error(const std::string& measure, const std::string& problem) {
  throw Error(ErrorKind::option, "measures: " + measure + ": " + problem);
}

std::int64_t parse_cut_off(const std::string& measure, std::string_view digits) {
  std::int64_t k = 0;
  const auto end = digits.data() + digits.size();
  const auto [next, code] = std::from_chars(digits.data(), end, k);
  if (digits.empty() || code != std::errc{} || next != end) {
    throw_measure_error(measure, "k = '" + std::string(digits) + "' is not a whole number");
  }
  if (k < 1) throw_measure_error(measure, "k must be at least 1");
  return std::min(k, Measure::kNoCut - 1);
}

Measure parse_measure(std::string_view text) {
  const std::string word = lower_case_word(text);
  if (word.empty()) throw Error(ErrorKind::option, "measures: an empty name between commas");
  const auto at = word.find('@');
  const MeasureEntry& entry = measure_named(word.substr(0, at));
  Measure measure{std::string(entry.name)};
  if (at == std::string::npos) {
    if (entry.cut_off == CutOff::required) {
      throw_measure_error(word, "it needs a cut-off, as in " + word + "@10");
    }
    return measure;
  }
  if (entry.cut_off == CutOff::none) throw_measure_error(word, "it takes no @k");
  measure.k = parse_cut_off(word, std::string_view(word).substr(at + 1));
  return measure;
}

}  // namespace

std::vector<MeasureInfo> all_measures() {
  std::vector<MeasureInfo> measures;
  for (const MeasureEntry& entry : measure_table()) {
    measures.push_back({entry.name, entry.cut_off, entry.help});
  }
  return measures;
}

std::vector<Measure> parse_measures(std::span<const std::string> texts) {
  std::vector<Measure> measures;
  for (const std::string& text : texts) {
    Measure measure = parse_measure(text);
    if (std::find(measures.begin(), measures.end(), measure) == measures.end()) {
      measures.push_back(std::move(measure));
    }
  }
  if (measures.empty()) throw Error(ErrorKind::option, "measures: none are named");
  return measures;
}

std::vector<Measure> parse_measures(std::string_view text) {
  return parse_measures(parse_list(text));
}

}  // namespace rankine
