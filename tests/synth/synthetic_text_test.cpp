#include "synth/synthetic_text.hpp"

#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

std::string text_of(std::int64_t query, std::int64_t document, const SyntheticRow& row,
                    bool real_grades) {
  std::vector<char> buffer(longest_synthetic_row(row.columns.size()));
  char* const end = write_synthetic_row(buffer.data(), query, document, row, real_grades);
  EXPECT_LE(end, buffer.data() + buffer.size());
  return {buffer.data(), end};
}

TEST(WriteSyntheticRow, writes_letor_text_counted_from_one) {
  const SyntheticRow row{
      .columns = {0, 9, 122}, .millionths = {500'000, 1, 12'345'678}, .true_score = 0, .grade = 3};
  EXPECT_EQ(text_of(16, 0, row, false),
            "3 qid:17 1:0.500000 10:0.000001 123:12.345678 #docid = 17-1\n");
}

TEST(WriteSyntheticRow, writes_a_row_without_values) {
  EXPECT_EQ(text_of(0, 1, {}, false), "0 qid:1 #docid = 1-2\n");
}

TEST(WriteSyntheticRow, writes_real_grades_so_that_they_read_back) {
  for (const double grade : {0.1, -1.0 / 3, 12345.678, 2.0}) {
    SyntheticRow row;
    row.grade = grade;
    const std::string text = text_of(0, 0, row, true);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    EXPECT_EQ(value, grade);
    EXPECT_EQ(text.substr(text.find(' ')), " qid:1 #docid = 1-1\n");
  }
}

TEST(WriteSyntheticRow, stays_within_its_bound_at_the_extremes) {
  SyntheticRow row;
  row.columns.assign(50, std::numeric_limits<std::uint32_t>::max());
  row.millionths.assign(50, std::numeric_limits<std::uint64_t>::max());
  row.grade = -std::numeric_limits<double>::denorm_min();
  text_of(std::numeric_limits<std::int64_t>::max() - 1,
          std::numeric_limits<std::int64_t>::max() - 1, row, true);
}

}  // namespace
}  // namespace rankine
