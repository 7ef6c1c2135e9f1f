// Score files; declared in include/rankine/scores.hpp.
#include <string>
#include <string_view>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/scores.hpp>

#include "base/system/input_bytes.hpp"
#include "base/text/text_lines.hpp"
#include "io/csv/csv_text.hpp"

namespace rankine {
namespace {

double parse_score(const std::string& file, std::int64_t line, std::string_view text) {
  double score = 0;
  const NumberOutcome outcome = parse_number(text, score);
  if (outcome == NumberOutcome::ok) return score;
  throw Error(ErrorKind::data, file + ":" + std::to_string(line) + ": " + shown(text) + " " +
                                   std::string(number_problem(outcome)));
}

}  // namespace

std::vector<double> read_scores(const std::string& path, const Dataset& data) {
  InputBytes input(path);
  std::vector<double> by_row;
  by_row.reserve(static_cast<std::size_t>(data.num_documents()));
  for_each_line(input, [&](std::int64_t number, std::string_view line) {
    by_row.push_back(parse_score(input.name(), number, line));
  });
  if (by_row.size() != data.grades.size()) {
    throw Error(ErrorKind::data, input.name() + ": " + std::to_string(by_row.size()) +
                                     " scores for the " + std::to_string(data.grades.size()) +
                                     " documents of " + data.source);
  }
  if (data.input_rows.empty()) return by_row;
  std::vector<double> by_document;
  by_document.reserve(by_row.size());
  for (const std::int64_t row : data.input_rows) {
    by_document.push_back(by_row[static_cast<std::size_t>(row)]);
  }
  return by_document;
}

}  // namespace rankine
