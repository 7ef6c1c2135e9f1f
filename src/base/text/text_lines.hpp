// Small text files line by line: blank lines and comments passed over, lines counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/system/input_bytes.hpp"
#include "base/text/decimal.hpp"

namespace rankine {

inline constexpr std::string_view kLineBlanks = " \t\r\f\v";

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// "is not a number", "is not finite", "is too large". Requires: not ok.
std::string_view number_problem(NumberOutcome outcome);

/// Calls visit(number from 1, line) for every line that is neither blank nor starts with #, blanks
/// at its ends removed. The line is valid during the call.
template <class Visit>
void for_each_line(InputBytes& input, Visit visit) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  LineBlock block;
  std::int64_t number = 0;
  while (input.next_lines(block, kBlockBytes)) {
    std::string_view rest = block.text;
    while (!rest.empty()) {
      const auto length = rest.find('\n');
      const std::string_view line = trimmed(rest.substr(0, length));
      rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
      ++number;
      if (!line.empty() && line.front() != '#') visit(number, line);
    }
    input.release(block);
  }
}

}  // namespace rankine
