#include "io/letor/svmlight_parser.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/system/input_bytes.hpp"
#include "oracles/letor_text.hpp"

namespace rankine {
namespace {

using oracles::LetorText;
using oracles::LetorTextOptions;

struct Parsed {
  std::string padded;  // keeps the views of `block` alive
  ParsedBlock block;
};

Parsed parse(const std::string& text, const SvmlightOptions& options = {}) {
  Parsed parsed;
  parsed.padded = text + std::string(InputBytes::kPadding, '\0');
  parse_svmlight(std::string_view(parsed.padded).substr(0, text.size()), options, parsed.block);
  return parsed;
}

/// "line:column: message" of the first error.
std::string error_of(const std::string& text, const SvmlightOptions& options = {}) {
  const Parsed parsed = parse(text, options);
  if (!parsed.block.error) return "no error";
  const TextError& error = *parsed.block.error;
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

void expect_equal(const ParsedBlock& block, const LetorText& expected) {
  ASSERT_FALSE(block.error) << block.error->message;
  EXPECT_EQ(block.grades, expected.grades);
  EXPECT_EQ(block.num_columns, static_cast<std::int64_t>(expected.num_columns));
  EXPECT_EQ(std::ssize(block.missing), expected.num_missing);
  ASSERT_EQ(static_cast<std::int64_t>(block.num_entries()), expected.num_written);
  std::size_t entry = 0;
  std::size_t run = 0;
  for (std::size_t row = 0; row < expected.rows.size(); ++row) {
    std::vector<float> values(expected.rows[row].size());
    for (; entry < block.row_ends[row]; ++entry) {
      values[block.columns.data()[entry]] = block.values.data()[entry];
    }
    ASSERT_EQ(values, expected.rows[row]) << "row " << row;
    while (run + 1 < block.query_runs.size() && block.query_runs[run + 1].first_row <= row) ++run;
    ASSERT_EQ(block.query_runs[run].id, expected.ids[row]);
    ASSERT_EQ(block.comments[row], expected.comments[row]);
  }
}

TEST(SvmlightParserTest, reads_what_random_text_says) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    LetorTextOptions options;
    options.num_columns = seed % 10 == 0 ? 1200 : 1 + seed % 40;
    options.num_rows = 1 + seed % 30;
    options.density = seed % 2 == 0 ? 1 : 0.05 * (seed % 20);
    options.zero_based = seed % 3 == 0;
    options.has_query_ids = seed % 7 != 0;
    const LetorText text = oracles::make_letor_text(seed, options);
    const Parsed parsed = parse(text.text, {options.zero_based, true, false});
    expect_equal(parsed.block, text);
    if (HasFatalFailure()) FAIL() << text.text;
  }
}

TEST(SvmlightParserTest, leaves_no_trace_of_the_block_before) {
  Parsed parsed = parse("1 qid:1 9:1 # c\n2 qid:2 1:NULL\nx", {false, true, false});
  ASSERT_TRUE(parsed.block.error);
  const LetorText text = oracles::make_letor_text(3, {});
  const std::string padded = text.text + std::string(InputBytes::kPadding, '\0');
  parse_svmlight(std::string_view(padded).substr(0, text.text.size()), {false, true, false},
                 parsed.block);
  expect_equal(parsed.block, text);
}

TEST(SvmlightParserTest, reads_grades_ids_and_comments_alone_when_asked_to) {
  const Parsed parsed =
      parse("1 qid:1 9:1 2:nonsense # c\r\n2 qid:2\n3 qid:2 1:1", {false, true, true});
  ASSERT_FALSE(parsed.block.error);
  EXPECT_EQ(parsed.block.grades, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(parsed.block.query_runs.size(), 2U);
  EXPECT_EQ(parsed.block.comments, (std::vector<std::string_view>{" c", "", ""}));
  EXPECT_EQ(parsed.block.num_entries(), 0U);
}

TEST(SvmlightParserTest, says_where_and_what_the_first_mistake_is) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      // Indices.
      {"1 qid:1 13:1 12:1", "1:14: feature index 12 after 13: indices must increase"},
      {"1 qid:1 1:1\n1 qid:1 2:1 2:1\n", "2:13: feature index 2 after 2: indices must increase"},
      {"1 qid:1 1:1 1:1\n", "1:13: feature index 1 after 1: indices must increase"},
      {"1 qid:1 0:1",
       "1:9: feature index 0: indices start at 1 (--zero-based if yours start at 0)"},
      {"1 qid:1 3:1 0:1",
       "1:13: feature index 0: indices start at 1 (--zero-based if yours start at 0)"},
      {"1 qid:1 4294967296:1",
       "1:9: feature index 4294967296 is too large: the largest is 4294967295"},
      {"1 qid:1 99999999999999999999999:1",
       "1:9: feature index 99999999999999999999999 is too large: the largest is 4294967295"},
      {"1 qid:1 -1:1", "1:9: '-1:1' is not a feature: expected index:value"},
      {"1 qid:1 1.5:1", "1:9: '1.5:1' is not a feature: expected index:value"},
      {"1 qid:1 cost:1", "1:9: 'cost:1' is not a feature: expected index:value"},
      {"1 qid:1 :1", "1:9: ':1' is not a feature: expected index:value"},
      // Truncated lines.
      {"1 qid:1 3:", "1:11: feature 3 has no value"},
      {"1 qid:1 1:0.5 2:\n", "1:17: feature 2 has no value"},
      {"1 qid:1 1: 2:0.5\n", "1:11: feature 1 has no value"},
      {"1 qid:1 1:0.5 5", "1:15: '5' has no value: expected index:value"},
      {"1 qid:1 1:0.5 123456789", "1:15: '123456789' has no value: expected index:value"},
      {"1 qid:1 1:0.5 5#", "1:15: '5' has no value: expected index:value"},
      {"qid:1 1:0.5", "1:1: no grade before 'qid:1'"},
      {"1 qid:", "1:7: no id after 'qid:'"},
      {"1 qid: 1:0.5\n", "1:7: no id after 'qid:'"},
      // Numbers.
      {"1 qid:1 1:nano", "1:11: the value 'nano' of feature 1 is not a number"},
      {"1 qid:1 7:-Infinity", "1:11: the value '-Infinity' of feature 7 is not finite"},
      {"1 qid:1 1:1e39",
       "1:11: the value '1e39' of feature 1 is too large for a float (largest 3.4e38)"},
      {"1 qid:1 1:abc", "1:11: the value 'abc' of feature 1 is not a number"},
      {"1 qid:1 1:0.5x 2:1", "1:11: the value '0.5x' of feature 1 is not a number"},
      {"1 qid:1 1:1:2", "1:11: the value '1:2' of feature 1 is not a number"},
      {"1 qid:1 1:null", "1:11: the value 'null' of feature 1 is not a number"},
      {"nan qid:1 1:1", "1:1: the grade 'nan' is not finite"},
      {" inf qid:1 1:1", "1:2: the grade 'inf' is not finite"},
      {"1e999 qid:1 1:1", "1:1: the grade '1e999' is too large for a double"},
      {"relevant qid:1 1:1", "1:1: the grade 'relevant' is not a number"},
      {"1:0.5 2:0.5", "1:1: the grade '1:0.5' is not a number"},
      {std::string(50, 'x'), "1:1: the grade '" + std::string(40, 'x') + "...' is not a number"},
      // Query ids.
      {"1 qid:1 1:1\n1 1:1\n",
       "2:3: no qid here, but the rows before have one: give every row one or none"},
      {"1\n1 qid:2\n", "2:3: a qid here, but none in the rows before: give every row one or none"},
      {"1 1:1 qid:1", "1:7: qid must come right after the grade"},
      // What is not text.
      {std::string("\x7f"
                   "ELF\2\1\n"),
       "1:1: the byte 0x7f does not belong in text"},
      {std::string("1 qid:1 1:0.5\0 2:1", 18), "1:14: the byte 0x00 does not belong in text"},
      {std::string("\0\0\0\0", 4), "1:1: the byte 0x00 does not belong in text"},
      {"1 qid:1 1:\x80", "1:11: the byte 0x80 does not belong in text"},
      {"1 qid:1 1:1 \x01", "1:13: the byte 0x01 does not belong in text"},
      {"\n# x\n1 qid:1 1:5\xff\n", "3:12: the byte 0xff does not belong in text"},
      {"1 qid:1 1:1\r1 qid:1 1:1\r", "1:12: a carriage return inside the line"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message) << text;
}

TEST(SvmlightParserTest, counts_from_zero_when_told_to) {
  const SvmlightOptions options{true, false, false};
  EXPECT_EQ(error_of("1 qid:1 0:1 1:1", options), "no error");
  EXPECT_EQ(error_of("1 qid:1 0:1 0:1", options),
            "1:13: feature index 0 after 0: indices must increase");
  EXPECT_EQ(error_of("1 qid:1 4294967294:1", options), "no error");
  EXPECT_EQ(error_of("1 qid:1 4294967295:1", options),
            "1:9: feature index 4294967295 is too large: the largest is 4294967294");
  EXPECT_EQ(error_of("1 qid:1 0:x", options), "1:11: the value 'x' of feature 0 is not a number");
}

TEST(SvmlightParserTest, takes_the_largest_index) {
  const Parsed parsed = parse("1 qid:1 00000000000004294967295:1\n");
  ASSERT_FALSE(parsed.block.error) << parsed.block.error->message;
  EXPECT_EQ(parsed.block.num_columns, kMaxColumns);
}

TEST(SvmlightParserTest, finds_the_same_error_wherever_a_line_is_cut) {
  const std::string line = "2 qid:10 1:0.031310 2:0.666667 13:-1.5e-3 # docid = 5";
  for (std::size_t length = 0; length <= line.size(); ++length) {
    const std::string cut = line.substr(0, length);
    EXPECT_EQ(error_of(cut), error_of(cut + "\n")) << cut;
    EXPECT_EQ(error_of(cut), error_of(cut + "\r\n")) << cut;
  }
}

}  // namespace
}  // namespace rankine
