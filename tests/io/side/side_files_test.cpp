#include "io/side/side_files.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "data/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

/// Rows a b a c b: documents are rows 0 2 1 4 3.
Dataset five_rows() {
  ParsedRows rows;
  rows.features = DenseMatrix{5, 2, std::vector<float>(10)};
  rows.grades = std::vector<double>{0, 1, 2, 3, 4};
  rows.query_of_row = {0, 1, 0, 2, 1};
  rows.query_ids = StringList::of({"a", "b", "c"});
  return build_dataset("data", std::move(rows));
}

Dataset five_rows_without_ids() {
  Dataset data = five_rows();
  data.input_rows = {};
  data.query_offsets = std::vector<std::int64_t>{0, 5};
  data.query_ids = StringList::of({""});
  return data;
}

ReadOptions with(std::string ReadOptions::*option, const std::string& value) {
  ReadOptions options;
  options.*option = value;
  return options;
}

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.begin(), array.end()};
}

class SideFilesTest : public testing::Test {
 protected:
  Dataset attached(Dataset data, const ReadOptions& options = {}) const {
    attach_side_files(data, folder_.path("d.txt"), options);
    return data;
  }
  std::string failure(const Dataset& data, const ReadOptions& options = {}) const {
    try {
      attached(data, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      const std::string message = error.what();
      const std::string folder = folder_.path("");
      return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }
    return "no error";
  }
  std::string preferences_failure(const std::string& content) const {
    return failure(five_rows(), with(&ReadOptions::preferences, folder_.write("p", content)));
  }
  std::string weights_failure(const std::string& content) const {
    return failure(five_rows(), with(&ReadOptions::weight_file, folder_.write("w", content)));
  }
  std::string query_failure(const std::string& content) const {
    return failure(five_rows_without_ids(),
                   with(&ReadOptions::query_file, folder_.write("q", content)));
  }
  std::string names_failure(const std::string& content) const {
    return failure(five_rows(), with(&ReadOptions::feature_names, folder_.write("n", content)));
  }
  TemporaryFolder folder_;
};

TEST_F(SideFilesTest, are_not_needed) {
  expect_same_dataset(attached(five_rows()), five_rows());
}

TEST_F(SideFilesTest, give_weights_by_document_in_the_order_of_the_input) {
  folder_.write("d.txt.weight", "10\n11\r\n\n12.5\n+1e1\n 14");
  const Dataset data = attached(five_rows());
  EXPECT_EQ(to_vector(data.document_weights), (std::vector<double>{10, 12.5, 11, 14, 10}));
  EXPECT_TRUE(data.query_weights.empty());
}

TEST_F(SideFilesTest, give_weights_by_query_when_there_are_as_many) {
  folder_.write("d.txt.weight", "1\n0\n3\n");
  const Dataset data = attached(five_rows());
  EXPECT_EQ(to_vector(data.query_weights), (std::vector<double>{1, 0, 3}));
  EXPECT_TRUE(data.document_weights.empty());
}

TEST_F(SideFilesTest, named_by_an_option_take_the_place_of_the_default) {
  folder_.write("d.txt.weight", "not read");
  const auto other = folder_.write("other", "7\n8\n9\n");
  EXPECT_EQ(to_vector(attached(five_rows(), with(&ReadOptions::weight_file, other)).query_weights),
            (std::vector<double>{7, 8, 9}));
}

TEST_F(SideFilesTest, named_by_an_option_must_exist) {
  for (const auto member : {&ReadOptions::weight_file, &ReadOptions::preferences,
                            &ReadOptions::feature_names, &ReadOptions::query_file}) {
    EXPECT_EQ(failure(five_rows_without_ids(), with(member, folder_.path("none"))),
              "none: cannot read: No such file or directory");
  }
}

TEST_F(SideFilesTest, of_the_cache_and_of_standard_input_are_only_those_named) {
  folder_.write("d.rkd.weight", "1\n2\n3\n");
  Dataset data = five_rows();
  attach_side_files(data, folder_.path("d.rkd"), {});
  attach_side_files(data, "-", {});
  EXPECT_TRUE(data.query_weights.empty());
}

TEST_F(SideFilesTest, say_what_is_wrong_with_weights) {
  EXPECT_EQ(weights_failure("1\n2\n"), "w: 2 weights, but the data has 5 documents and 3 queries");
  EXPECT_EQ(weights_failure(""), "w: 0 weights, but the data has 5 documents and 3 queries");
  EXPECT_EQ(weights_failure("1\n x\n"), "w:2:2: 'x' is not a number");
  EXPECT_EQ(weights_failure("1\n1x\n"), "w:2:1: '1x' is not a number");
  EXPECT_EQ(weights_failure("-1\n"), "w:1:1: weight -1 must be finite and not negative");
  EXPECT_EQ(weights_failure("1\n\nnan\n"), "w:3:1: weight nan must be finite and not negative");
  EXPECT_EQ(weights_failure("inf\n"), "w:1:1: weight inf must be finite and not negative");
  EXPECT_EQ(weights_failure("1e999\n"), "w:1:1: weight 1e999 must be finite and not negative");
  EXPECT_EQ(weights_failure("1 2\n"), "w:1:3: '2' after the one number of a line");
  Dataset data = five_rows();
  data.document_weights = std::vector<double>(5, 1.0);
  folder_.write("d.txt.weight", "1\n2\n3\n4\n5\n");
  EXPECT_EQ(failure(data), "d.txt.weight: weights by document, but the data has them already");
}

TEST_F(SideFilesTest, cut_data_without_query_ids_into_queries) {
  folder_.write("d.txt.query", "2\n3\n");
  folder_.write("d.txt.weight", "1\n0.5\n");
  const Dataset data = attached(five_rows_without_ids());
  EXPECT_EQ(to_vector(data.query_offsets), (std::vector<std::int64_t>{0, 2, 5}));
  EXPECT_EQ(data.query_ids[0], "1");
  EXPECT_EQ(data.query_ids[1], "2");
  EXPECT_EQ(to_vector(data.query_weights), (std::vector<double>{1, 0.5}));
}

TEST_F(SideFilesTest, leave_data_with_query_ids_uncut) {
  const auto path = folder_.write("d.txt.query", "2\n3\n");
  expect_same_dataset(attached(five_rows()), five_rows());
  EXPECT_EQ(failure(five_rows(), with(&ReadOptions::query_file, path)),
            "d.txt.query: sizes of queries, but the data has query ids already");
}

TEST_F(SideFilesTest, say_what_is_wrong_with_sizes_of_queries) {
  EXPECT_EQ(query_failure("2\n2\n"), "q: its 2 queries have 4 documents, the data has 5");
  EXPECT_EQ(query_failure("2\n2\n2\n"),
            "q:3:1: the queries up to here have more documents than the data, 5");
  EXPECT_EQ(query_failure("9223372036854775807\n9223372036854775807\n"),
            "q:1:1: the queries up to here have more documents than the data, 5");
  EXPECT_EQ(query_failure("2\n0\n3\n"), "q:2:1: a query has at least 1 document");
  EXPECT_EQ(query_failure("2.5\n"), "q:1:1: '2.5' is not a number of documents");
  EXPECT_EQ(query_failure("5 1\n"), "q:1:3: '1' after the one number of a line");
}

TEST_F(SideFilesTest, give_preferences_by_row_of_the_input) {
  const auto path = folder_.write("p", "3 1\n2\t5 0.5\r\n\n 5 2 2 0\n");
  const Dataset data = attached(five_rows(), with(&ReadOptions::preferences, path));
  EXPECT_TRUE(data.has_preferences);
  ASSERT_EQ(data.preferences.size(), 3U);
  EXPECT_EQ(data.preferences[0].winner, 1);
  EXPECT_EQ(data.preferences[0].loser, 0);
  EXPECT_EQ(data.preferences[0].weight, 1);
  EXPECT_EQ(data.preferences[0].magnitude, 1);
  EXPECT_EQ(data.preferences[1].winner, 2);
  EXPECT_EQ(data.preferences[1].loser, 3);
  EXPECT_EQ(data.preferences[1].weight, 0.5);
  EXPECT_EQ(data.preferences[2].magnitude, 0);
}

TEST_F(SideFilesTest, say_what_is_wrong_with_preferences) {
  EXPECT_EQ(preferences_failure("1 3\n1 6\n"), "p:2:3: row 6 must be in [1, 5]");
  EXPECT_EQ(preferences_failure("0 1\n"), "p:1:1: row 0 must be in [1, 5]");
  EXPECT_EQ(preferences_failure("1 1\n"), "p:1:3: row 1 is winner and loser of one pair");
  EXPECT_EQ(preferences_failure("1 2\n"), "p:1:3: rows 1 and 2 are of different queries");
  EXPECT_EQ(preferences_failure("2 1\n"), "p:1:3: rows 2 and 1 are of different queries");
  EXPECT_EQ(preferences_failure("1\n"), "p:1:1: a winner without a loser");
  EXPECT_EQ(preferences_failure("1 3 1 1 1\n"),
            "p:1:9: more than winner, loser, weight and magnitude");
  EXPECT_EQ(preferences_failure("a 3\n"), "p:1:1: 'a' is not a row number");
  EXPECT_EQ(preferences_failure("1 3 -2\n"), "p:1:5: weight -2 must be finite and not negative");
  EXPECT_EQ(preferences_failure("1 3 x\n"), "p:1:5: 'x' is not a number");
  EXPECT_EQ(preferences_failure("1 3 1 nan\n"),
            "p:1:7: magnitude nan must be finite and not negative");
  EXPECT_EQ(preferences_failure("\n"), "p: no preferences in it");
}

TEST_F(SideFilesTest, name_the_features) {
  const auto path = folder_.write("n", "title BM25\r\nbody length \n\n");
  const Dataset data = attached(five_rows(), with(&ReadOptions::feature_names, path));
  ASSERT_EQ(data.feature_names.size(), 2U);
  EXPECT_EQ(data.feature_names[0], "title BM25");
  EXPECT_EQ(data.feature_names[1], "body length");
}

TEST_F(SideFilesTest, say_what_is_wrong_with_feature_names) {
  EXPECT_EQ(names_failure("a\n"), "n: 1 names for 2 features");
  EXPECT_EQ(
      names_failure("a\nb\nc\n"),
      "n: 3 names for 2 features; if the last columns are only missing, give num_features = 3");
  EXPECT_EQ(names_failure("a\n\nb\n"),
            "n:3:1: a name after line 2, which has none: every feature needs one");
  EXPECT_EQ(names_failure("a\n a\n"), "n:2:2: the name 'a' is taken by line 1");
}

}  // namespace
}  // namespace rankine
