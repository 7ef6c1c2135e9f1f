#include "io/csv/csv_documents.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

struct Seen {
  std::vector<float> values;
  std::vector<std::string> ids;  // by row
  std::int64_t num_features = 0;
  std::string error;
};

Seen read(const std::string& text, std::int64_t num_columns, std::size_t block_bytes) {
  InputBytes input("a.csv", text);
  const Progress progress;
  Seen seen;
  try {
    CsvDocuments source(input, {.storage = Storage::dense}, progress, num_columns, block_bytes);
    CsvDocuments::Slot slot;
    while (source.take(slot)) {
      source.parse(slot);
      source.check(slot);
      const DocumentBlock& block = slot.block;
      seen.values.insert(seen.values.end(), block.values.begin(), block.values.end());
      for (std::size_t run = 0; run < block.query_ids.size(); ++run) {
        for (auto row = block.query_offsets[run]; row < block.query_offsets[run + 1]; ++row) {
          seen.ids.emplace_back(block.query_ids[run]);
        }
      }
      source.release(slot);
    }
    source.finish();
    seen.num_features = source.num_features();
  } catch (const Error& error) {
    seen.error = error.what();
  }
  return seen;
}

const std::string kText =
    "\n\nlabel,qid,\"one\nfeature\",b,c\n1,\"q\n1\",1,2,3\n\n0,\"q\n1\",4,5,6\n2,\"a\"\"b\",7,8,"
    "9\n";

TEST(CsvDocuments, does_not_cut_rows_with_quoted_line_ends) {
  for (std::size_t bytes = 1; bytes < kText.size() + 5; ++bytes) {
    const Seen seen = read(kText, 2, bytes);
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(seen.values, (std::vector<float>{1, 2, 4, 5, 7, 8})) << bytes;
    EXPECT_EQ(seen.ids, (std::vector<std::string>{"q\n1", "q\n1", "a\"b"})) << bytes;
    EXPECT_EQ(seen.num_features, 3);
  }
}

TEST(CsvDocuments, is_no_wider_than_the_file) {
  EXPECT_EQ(read("label,a\n1,2\n0,3\n", 9, 4).values, (std::vector<float>{2, 3}));
}

TEST(CsvDocuments, names_the_place_of_a_mistake_whatever_the_blocks) {
  for (std::size_t bytes = 1; bytes < 90; bytes += 3) {
    EXPECT_TRUE(read(kText + "1,x,1,z,3\n", 3, bytes).error.starts_with("a.csv:11:7: 'z' in"));
    EXPECT_EQ(read(kText + "1,\"x,1,z,3\n", 3, bytes).error,
              "a.csv:11:3: this quote is never closed");
    EXPECT_EQ(read("label,a\n\n", 3, bytes).error, "a.csv:2:1: there are no rows after the header");
    EXPECT_EQ(read("\n\n", 3, bytes).error, "a.csv:1:1: the file is empty");
  }
}

}  // namespace
}  // namespace rankine
