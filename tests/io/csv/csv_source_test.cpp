#include "io/csv/csv_source.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "io/document_stream.hpp"

namespace rankine {
namespace {

struct Seen {
  std::vector<float> values;
  std::vector<std::string> ids;  // by row
  std::vector<double> weights;
  std::vector<std::string> comments;
  std::vector<MissingValue> missing;  // by row of the file
  std::int64_t num_rows = 0;
  std::int64_t num_features = 0;
  std::string error;
};

Seen read(const std::string& text, std::int64_t num_columns, std::size_t block_bytes,
          const ReadOptions& options = {.storage = Storage::dense}) {
  InputBytes input("a.csv", text);
  const Progress progress;
  Seen seen;
  try {
    CsvSource source(input, options, progress);
    source.set_blocks({.num_columns = num_columns, .num_bytes = block_bytes});
    for_each_block(source, 1, {}, [&](const DocumentBlock& block, std::size_t) {
      seen.values.insert(seen.values.end(), block.values.begin(), block.values.end());
      for (std::size_t run = 0; run < block.query_ids.size(); ++run) {
        for (auto row = block.query_offsets[run]; row < block.query_offsets[run + 1]; ++row) {
          seen.ids.emplace_back(block.query_ids[run]);
        }
      }
      const Dataset& documents = block.documents;
      seen.weights.insert(seen.weights.end(), documents.document_weights.begin(),
                          documents.document_weights.end());
      seen.comments.insert(seen.comments.end(), block.comments.begin(), block.comments.end());
      for (const MissingValue& cell : documents.missing) {
        seen.missing.push_back({seen.num_rows + cell.document, cell.column});
      }
      seen.num_rows += documents.num_documents();
    });
    seen.num_features = source.num_features();
  } catch (const Error& error) {
    seen.error = error.what();
  }
  return seen;
}

const std::string kText =
    "\n\nlabel,qid,\"one\nfeature\",b,c\n1,\"q\n1\",1,2,3\n\n0,\"q\n1\",4,5,6\n2,\"a\"\"b\",7,8,"
    "9\n";

TEST(CsvSource, does_not_cut_rows_with_quoted_line_ends) {
  for (std::size_t bytes = 1; bytes < kText.size() + 5; ++bytes) {
    const Seen seen = read(kText, 2, bytes);
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(seen.values, (std::vector<float>{1, 2, 4, 5, 7, 8})) << bytes;
    EXPECT_EQ(seen.ids, (std::vector<std::string>{"q\n1", "q\n1", "a\"b"})) << bytes;
    EXPECT_EQ(seen.num_features, 3);
  }
}

TEST(CsvSource, is_no_wider_than_the_file) {
  EXPECT_EQ(read("label,a\n1,2\n0,3\n", 9, 4).values, (std::vector<float>{2, 3}));
}

TEST(CsvSource, names_the_place_of_a_mistake_whatever_the_blocks) {
  for (std::size_t bytes = 1; bytes < 90; bytes += 3) {
    EXPECT_TRUE(read(kText + "1,x,1,z,3\n", 3, bytes).error.starts_with("a.csv:11:7: 'z' in"));
    EXPECT_EQ(read(kText + "1,\"x,1,z,3\n", 3, bytes).error,
              "a.csv:11:3: this quote is never closed");
    EXPECT_EQ(read("label,a\n\n", 3, bytes).error, "a.csv:2:1: there are no rows after the header");
    EXPECT_EQ(read("\n\n", 3, bytes).error, "a.csv:1:1: the file is empty");
  }
}

TEST(CsvSource, gives_weights_ids_and_missing_values_of_each_row) {
  const std::string text = "label,w,a,id,b\n1,2,,d1,5\n0,0.5,1,\"d2\",NaN\n1,1,NULL,d3,\n";
  const ReadOptions options{.storage = Storage::dense, .weight = "w", .docid = "id"};
  for (std::size_t bytes = 1; bytes < 60; bytes += 7) {
    const Seen seen = read(text, 2, bytes, options);
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(seen.values, (std::vector<float>{0, 5, 1, 0, 0, 0}));
    EXPECT_EQ(seen.weights, (std::vector<double>{2, 0.5, 1}));
    EXPECT_EQ(seen.comments,
              (std::vector<std::string>{" docid = d1", " docid = d2", " docid = d3"}));
    EXPECT_EQ(seen.missing, (std::vector<MissingValue>{{0, 0}, {1, 1}, {2, 0}, {2, 1}}));
  }
}

TEST(CsvSource, needs_no_grades_where_they_are_skipped) {
  const ReadOptions options{.storage = Storage::dense, .skip_grades = true};
  EXPECT_EQ(read("qid,a\n1,5\n1,6\n", 2, 9, options).values, (std::vector<float>{5, 6}));
  EXPECT_EQ(read("qid,label,a\n1,?,5\n1,,6\n", 2, 9, options).values, (std::vector<float>{5, 6}));
  EXPECT_NE(read("qid,a\n1,5\n", 2, 9).error.find("there is no column 'label'"), std::string::npos);
}

}  // namespace
}  // namespace rankine
