#include "base/text/text_lines.hpp"

#include <algorithm>

namespace rankine {

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kLineBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kLineBlanks) + 1);
}

std::string_view number_problem(NumberOutcome outcome) {
  switch (outcome) {
    case NumberOutcome::not_finite:
      return "is not finite";
    case NumberOutcome::too_large:
      return "is too large";
    default:
      return "is not a number";
  }
}

}  // namespace rankine
