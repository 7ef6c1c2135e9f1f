#include "io/csv/csv_rows.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

struct Parsed {
  CsvRowValues rows;
  CsvChunkFindings findings;
  std::vector<float> features;
};

/// Columns: label, qid, w (a weight), a, b, all one chunk.
Parsed parse(const std::string& body, char separator = ',') {
  using enum CsvRole;
  const CsvColumns columns{
      {"label", "qid", "w", "a", "b"}, {grade, query_id, weight, feature, feature}, true, true};
  const CsvText csv{"t.csv", body, separator};
  const auto chunks = csv_chunks(body, body.size(), 1);
  const auto count = static_cast<std::size_t>(chunks.front().num_rows);
  Parsed parsed{{std::vector<double>(count),
                 std::vector<double>(count),
                 std::vector<std::uint32_t>(count),
                 {}},
                {},
                std::vector<float>(2 * count)};
  parsed.findings =
      parse_csv_rows(csv, columns, chunks.front(), 0, parsed.rows, parsed.features.data(), 2);
  return parsed;
}

std::string message_of(const std::string& body, char separator = ',') {
  try {
    parse(body, separator);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(CsvRows, put_their_values_in_place) {
  const Parsed parsed = parse("2,q7,1,0.5,-3\n0.25,q8,0,1e3,.5\n-1,q7,2.5,\"7\", +8 \n");
  EXPECT_EQ(parsed.rows.grades, (std::vector<double>{2, 0.25, -1}));
  EXPECT_EQ(parsed.rows.weights, (std::vector<double>{1, 0, 2.5}));
  EXPECT_EQ(parsed.rows.query_of_row, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(parsed.findings.query_ids, (std::vector<std::string>{"q7", "q8"}));
  EXPECT_EQ(parsed.features, (std::vector<float>{0.5F, -3, 1000, 0.5F, 7, 8}));
  EXPECT_EQ(parsed.findings.num_nonzero, 6);
  EXPECT_TRUE(parsed.findings.missing.empty());
}

TEST(CsvRows, read_empty_cells_null_and_nan_as_zero_and_say_which) {
  const Parsed parsed = parse("1,q,1,,NULL\n1,q,1, ,\"\"\n1,q,1,0,1\n1,q,1,NaN,0\n");
  EXPECT_EQ(parsed.features, (std::vector<float>{0, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(parsed.findings.missing,
            (std::vector<MissingValue>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {3, 0}}));
  EXPECT_EQ(parsed.findings.num_nonzero, 1);
}

TEST(CsvRows, have_any_string_as_query_id) {
  const Parsed parsed =
      parse("1,red shoes,1,0,0\n1,\"a, \"\"b\"\"\nc\",1,0,0\n1,\"red shoes\",1,0,0\n");
  EXPECT_EQ(parsed.findings.query_ids, (std::vector<std::string>{"red shoes", "a, \"b\"\nc"}));
  EXPECT_EQ(parsed.rows.query_of_row, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(parse("1,NULL,1,0,0\n").findings.query_ids, std::vector<std::string>{"NULL"});
}

TEST(CsvRows, read_numbers_to_the_nearest_float) {
  const Parsed parsed = parse("1,q,1,0.1,16777217\n1,q,1,3.4028235e38,1e-60\n");
  EXPECT_EQ(parsed.features, (std::vector<float>{0.1F, 16777216, 3.4028235e38F, 0}));
}

TEST(CsvRows, must_have_as_many_cells_as_the_header) {
  EXPECT_EQ(message_of("1,q,1,0,0\n1,q,1,0\n"),
            "t.csv:2:8: the row has 4 cells where the header has 5");
  EXPECT_EQ(message_of("1,q,1,0,0\n1,q,1,0,0,9\n"),
            "t.csv:2:11: the row has 6 cells where the header has 5");
  EXPECT_EQ(message_of("1\n"), "t.csv:1:2: the row has 1 cell where the header has 5");
}

TEST(CsvRows, with_a_comma_too_many_are_told_so_rather_than_what_follows_from_it) {
  EXPECT_EQ(message_of("1,shoes, red,1,0,0\n"),
            "t.csv:1:18: the row has 6 cells where the header has 5");
}

TEST(CsvRows, must_hold_numbers) {
  EXPECT_EQ(message_of("1,q,1,0,0\r\n1,q,1,0,blue\r\n"),
            "t.csv:2:9: 'blue' in column 'b' is not a number: --ignore b leaves the column out");
  EXPECT_EQ(message_of("1,q,1,0,0\n1,q,1,1.5x,0\n"),
            "t.csv:2:7: '1.5x' in column 'a' is not a number: --ignore a leaves the column out");
  EXPECT_EQ(message_of("good,q,1,0,0\n"), "t.csv:1:1: 'good' in column 'label' is not a number");
  EXPECT_EQ(message_of("1,q,1,+-5,0\n"),
            "t.csv:1:7: '+-5' in column 'a' is not a number: --ignore a leaves the column out");
  EXPECT_EQ(message_of("1;q;1;0,5;0\n", ';'),
            "t.csv:1:7: '0,5' in column 'a' is not a number: the decimal sign is a point");
}

TEST(CsvRows, must_hold_finite_numbers) {
  EXPECT_EQ(message_of("1,q,1,0,-inf\n"),
            "t.csv:1:9: '-inf' in column 'b' is infinite: values must be finite");
  EXPECT_EQ(message_of("1,q,1,1e39,0\n"),
            "t.csv:1:7: '1e39' in column 'a' is too large for a 32-bit number (3.4e38)");
  EXPECT_EQ(message_of("1e400,q,1,0,0\n"),
            "t.csv:1:1: '1e400' in column 'label' is too large for a 64-bit number (1.8e308)");
  EXPECT_EQ(message_of("nan,q,1,0,0\n"), "t.csv:1:1: the grade is missing (column 'label')");
}

TEST(CsvRows, must_have_grade_query_id_and_weight) {
  EXPECT_EQ(message_of(",q,1,0,0\n"), "t.csv:1:1: the grade is missing (column 'label')");
  EXPECT_EQ(message_of("1,,1,0,0\n"), "t.csv:1:3: the query id is missing (column 'qid')");
  EXPECT_EQ(message_of("1,q,NULL,0,0\n"), "t.csv:1:5: the weight is missing (column 'w')");
}

TEST(CsvRows, have_weights_that_are_not_negative) {
  EXPECT_EQ(message_of("1,q,-0.5,0,0\n"),
            "t.csv:1:5: '-0.5' in column 'w' is below 0: weights are not negative");
}

TEST(CsvRows, are_named_by_the_line_they_are_on_after_line_ends_in_quotes) {
  EXPECT_EQ(message_of("1,\"a\nb\n\",1,0,0\n\n1,q,1,x,0\n"),
            "t.csv:5:7: 'x' in column 'a' is not a number: --ignore a leaves the column out");
}

}  // namespace
}  // namespace rankine
