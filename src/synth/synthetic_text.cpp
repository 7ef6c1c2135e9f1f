// Numbers are written by integer arithmetic (base/text/decimal_text), which is most of the speed.
#include "synth/synthetic_text.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

#include "base/text/decimal_text.hpp"

namespace rankine {
namespace {

char* write_word(char* out, std::string_view word) {
  std::memcpy(out, word.data(), word.size());
  return out + word.size();
}

/// Numbers count from 0 in memory and from 1 in text.
char* write_number(char* out, std::int64_t number) {
  return write_natural(out, static_cast<std::uint64_t>(number) + 1);
}

}  // namespace

std::size_t longest_synthetic_row(std::size_t num_values) {
  constexpr std::size_t kWords = 16;  // " qid:", " #" and the newline
  constexpr std::size_t kLongestValue = 2 + kLongestNatural + kLongestMillionths;
  return kLongestReal + kLongestNatural + kLongestDocumentComment + kWords +
         num_values * kLongestValue;
}

char* write_synthetic_row(char* out, std::int64_t query, std::int64_t document,
                          const SyntheticRow& row, bool real_grades) {
  out = real_grades ? write_real(out, row.grade)
                    : write_natural(out, static_cast<std::uint64_t>(row.grade));
  out = write_number(write_word(out, " qid:"), query);
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    *out++ = ' ';
    out = write_number(out, row.columns[k]);
    *out++ = ':';
    out = write_millionths(out, row.millionths[k]);
  }
  out = write_document_comment(write_word(out, " #"), query, document);
  *out++ = '\n';
  return out;
}

char* write_real(char* out, double value) {
  return std::to_chars(out, out + kLongestReal, value).ptr;
}

char* write_document_comment(char* out, std::int64_t query, std::int64_t document) {
  out = write_number(write_word(out, "docid = "), query);
  *out++ = '-';
  return write_number(out, document);
}

}  // namespace rankine
