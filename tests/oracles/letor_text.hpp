// Random LETOR text together with what it says: written the obvious way, cell by cell.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace rankine::oracles {

struct LetorText {
  std::string text;
  std::vector<double> grades;         // by row
  std::vector<std::string> ids;       // by row
  std::vector<std::string> comments;  // by row
  std::vector<std::vector<float>> rows;
  std::size_t num_columns = 0;
  std::int64_t num_missing = 0;
  std::int64_t num_written = 0;
};

struct LetorTextOptions {
  std::size_t num_rows = 50;
  std::size_t num_columns = 10;
  double density = 1;
  bool zero_based = false;
  bool has_query_ids = true;
  bool gathered = false;  // the rows of a query together
};

/// Every liberty the format gives is taken now and then.
inline LetorText make_letor_text(unsigned seed, const LetorTextOptions& options) {
  std::mt19937 random(seed);
  const auto chance = [&](unsigned in) { return random() % in == 0; };
  const auto pick = [&](const std::vector<std::string>& choices) {
    return choices[random() % choices.size()];
  };
  const std::string line_end = chance(2) ? "\n" : "\r\n";
  LetorText made;
  for (std::size_t row = 0; row < options.num_rows; ++row) {
    while (chance(12)) made.text += pick({"", " ", "\t", "# only a comment 1:2", "  #"}) + line_end;
    const std::string grade = pick({"0", "1", "2", "-1.5", "+3", "2.50", "1e-3", "0.125"});
    made.grades.push_back(std::strtod(grade.c_str(), nullptr));
    made.text += (chance(10) ? " " : "") + grade;
    std::string id;
    if (options.has_query_ids) {
      id = options.gathered ? "q:" + std::to_string(row / 7) : pick({"1", "a:b", "query-\xC3\xA9"});
      made.text += pick({" ", "  ", "\t"}) + "qid:" + id;
    }
    made.ids.push_back(id);
    made.rows.emplace_back(options.num_columns);
    for (std::size_t column = 0; column < options.num_columns; ++column) {
      if (static_cast<double>(random() % 1000) >= 1000 * options.density) continue;
      char decimal[32];
      std::snprintf(decimal, sizeof decimal, "%.*f", static_cast<int>(1 + random() % 9),
                    static_cast<double>(random() % 2000001) / 1e6 - 1);
      const std::string value =
          chance(3) ? pick({"0", "1", "NULL", "-0.0", "+2.5", "1e-5", "-3E4", "12345.678",
                            "0.1234567890123456789", "123456789", ".5", "7.", "1e-40"})
                    : decimal;
      made.text += (chance(30) ? "  " : " ") +
                   std::to_string(column + (options.zero_based ? 0 : 1)) + ":" + value;
      made.num_missing += value == "NULL" ? 1 : 0;
      ++made.num_written;
      made.rows.back()[column] = value == "NULL" ? 0.0F : std::strtof(value.c_str(), nullptr);
      made.num_columns = std::max(made.num_columns, column + 1);
    }
    std::string comment;
    if (chance(3)) {
      comment = pick({" docid = 7", "", "x # y", " 1:2 3:4"});
      made.text += pick({"#", " #"}) + comment;
    } else if (chance(5)) {
      made.text += pick({" ", "\t "});
    }
    made.comments.push_back(comment);
    made.text += line_end;
  }
  if (chance(2)) made.text.resize(made.text.size() - line_end.size());
  return made;
}

}  // namespace rankine::oracles
