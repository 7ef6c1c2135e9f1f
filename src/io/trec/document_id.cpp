// The comments of LETOR 3 and 4 read "docid = GX029-35-5894638 inc = 0.01 prob = 0.13"; other sets
// put the id alone.
#include <algorithm>
#include <string_view>

#include <rankine/read.hpp>

namespace rankine {
namespace {

constexpr std::string_view kBlanks = " \t\r";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

}  // namespace

std::string_view document_id(std::string_view comment) {
  constexpr std::string_view kKey = "docid";
  skip_blanks(comment);
  if (comment.starts_with(kKey)) {
    std::string_view rest = comment.substr(kKey.size());
    skip_blanks(rest);
    if (rest.starts_with('=')) {
      rest.remove_prefix(1);
      skip_blanks(rest);
      comment = rest;
    }
  }
  return comment.substr(0, comment.find_first_of(kBlanks));
}

}  // namespace rankine
