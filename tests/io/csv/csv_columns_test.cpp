#include "io/csv/csv_columns.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

using Names = std::vector<std::string>;

template <class T>
ReadOptions with(T ReadOptions::*member, const T& value) {
  ReadOptions options;
  options.*member = value;
  return options;
}

CsvColumns columns_of(const std::string& header, const ReadOptions& options = {}) {
  const CsvRow row = csv_row(header.data(), header.data() + header.size());
  const CsvText csv{"train.csv", header, csv_separator(row)};
  return read_csv_columns(csv, row, options);
}

std::string message_of(const std::string& header, const ReadOptions& options = {}) {
  try {
    columns_of(header, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(CsvColumns, without_a_role_are_features) {
  ReadOptions options;
  options.label = "rel";
  options.weight = "w";
  options.ignore = {"url", "title, in full"};
  const auto columns = columns_of("a,rel,\"title, in full\",qid,w,b,url", options);
  EXPECT_EQ(columns.feature_names(), (Names{"a", "b"}));
  EXPECT_EQ(columns.roles,
            (std::vector{CsvRole::feature, CsvRole::grade, CsvRole::ignored, CsvRole::query_id,
                         CsvRole::weight, CsvRole::feature, CsvRole::ignored}));
  EXPECT_TRUE(columns.has_query_ids);
  EXPECT_TRUE(columns.has_weights);
}

TEST(CsvColumns, need_no_query_ids_unless_a_column_is_named) {
  EXPECT_FALSE(columns_of("label,a").has_query_ids);
  EXPECT_FALSE(columns_of("label,a", with(&ReadOptions::qid, std::string(""))).has_query_ids);
  EXPECT_EQ(message_of("label,query,a", with(&ReadOptions::qid, std::string("qurey"))),
            "train.csv:1:1: there is no column 'qurey' (--qid); the columns are 'label', 'query', "
            "'a' (did you mean 'query'?)");
}

TEST(CsvColumns, that_are_named_must_be_there) {
  EXPECT_EQ(message_of("Label,qid,a"),
            "train.csv:1:1: there is no column 'label' (--label); the columns are 'Label', 'qid', "
            "'a' (did you mean 'Label'?)");
  EXPECT_EQ(message_of("label,qid,a", with(&ReadOptions::weight, std::string("propensity"))),
            "train.csv:1:1: there is no column 'propensity' (--weight); the columns are 'label', "
            "'qid', 'a'");
  EXPECT_EQ(
      message_of("label,qid,a", with(&ReadOptions::ignore, Names{"b"})),
      "train.csv:1:1: there is no column 'b' (--ignore); the columns are 'label', 'qid', 'a'");
}

TEST(CsvColumns, are_listed_up_to_twenty) {
  std::string header = "f1";
  for (int k = 2; k <= 30; ++k) header += ",f" + std::to_string(k);
  EXPECT_TRUE(message_of(header).ends_with("'f19', 'f20' and 10 more"));
}

TEST(CsvColumns, are_missed_when_the_first_line_is_data) {
  EXPECT_EQ(message_of("2,10,0.5"),
            "train.csv:1:1: the first line holds numbers, not the names of the columns");
}

TEST(CsvColumns, have_one_name_each) {
  EXPECT_EQ(message_of("label,a,b,\"a\""), "train.csv:1:11: column 4 is named 'a', as is column 2");
  EXPECT_EQ(
      message_of(",label,a"),
      "train.csv:1:1: column 1 has no name (an index? write the file without it, or name it)");
}

TEST(CsvColumns, have_one_role_each) {
  EXPECT_EQ(message_of("label,qid,a", with(&ReadOptions::ignore, Names{"label"})),
            "train.csv:1:1: column 'label' is named by both --label and --ignore");
  EXPECT_EQ(message_of("label,qid,a", with(&ReadOptions::weight, std::string("qid"))),
            "train.csv:1:1: column 'qid' is named by both --qid and --weight");
  EXPECT_EQ(columns_of("label,a,b", with(&ReadOptions::ignore, Names{"a", "a"})).feature_names(),
            Names{"b"});
}

}  // namespace
}  // namespace rankine
