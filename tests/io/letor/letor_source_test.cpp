#include "io/letor/letor_source.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "io/document_stream.hpp"

namespace rankine {
namespace {

struct Seen {
  std::vector<float> values;
  std::vector<std::string> ids;
  std::vector<std::string> comments;
  std::vector<bool> dense;
  std::vector<MissingValue> missing;  // by row of the text
  std::int64_t num_rows = 0;
  std::int64_t num_features = 0;
};

Seen read(const std::string& text, const ReadOptions& options, std::int64_t num_columns,
          std::size_t block_bytes) {
  InputBytes input("a.txt", text);
  const Progress progress;
  LetorSource source(input, options, progress);
  source.set_blocks({.num_columns = num_columns, .num_bytes = block_bytes});
  Seen seen;
  for_each_block(source, 1, {}, [&](const DocumentBlock& block, std::size_t) {
    const Dataset& documents = block.documents;
    EXPECT_EQ(documents.num_features(), num_columns);
    EXPECT_EQ(documents.num_queries(), std::ssize(block.query_ids));
    seen.dense.push_back(documents.is_dense());
    seen.values.insert(seen.values.end(), block.values.begin(), block.values.end());
    seen.ids.insert(seen.ids.end(), block.query_ids.begin(), block.query_ids.end());
    seen.comments.insert(seen.comments.end(), block.comments.begin(), block.comments.end());
    EXPECT_EQ(documents.num_missing, std::ssize(documents.missing));
    for (const MissingValue& cell : documents.missing) {
      seen.missing.push_back({seen.num_rows + cell.document, cell.column});
    }
    seen.num_rows += documents.num_documents();
  });
  EXPECT_EQ(seen.num_rows, source.num_rows());
  seen.num_features = source.num_features();
  return seen;
}

std::string outcome(const std::string& text, std::size_t block_bytes,
                    const ReadOptions& options = {}) {
  try {
    return std::to_string(read(text, options, 3, block_bytes).num_rows) + " rows";
  } catch (const Error& error) {
    return error.what();
  }
}

const std::string kText = "1 qid:a 1:1 2:2 #x\n0 qid:a 1:3 5:4 #y\n2 qid:b 2:5 #z\n";

TEST(LetorSource, gives_rows_in_the_columns_asked_for_and_counts_all) {
  for (const std::size_t bytes : {1U, 30U, 1000U}) {
    const Seen seen = read(kText, {.storage = Storage::dense, .keep_comments = true}, 3, bytes);
    EXPECT_EQ(seen.values, (std::vector<float>{1, 2, 0, 3, 0, 0, 0, 5, 0}));
    EXPECT_EQ(seen.comments, (std::vector<std::string>{"x", "y", "z"}));
    EXPECT_EQ(seen.num_features, 5);
    EXPECT_EQ(seen.ids.front(), "a");
    EXPECT_EQ(seen.ids.back(), "b");
  }
}

TEST(LetorSource, decides_on_storage_by_the_first_rows_for_all) {
  const std::string sparse = "0 qid:a 1:1 90:1\n";
  EXPECT_EQ(read("# none\n" + kText + sparse, {}, 3, 1).dense, std::vector<bool>(5, true));
  EXPECT_EQ(read(sparse + kText, {}, 3, 1).dense, std::vector<bool>(4, false));
  EXPECT_EQ(read(kText, {.num_features = 50}, 3, 1).dense, std::vector<bool>(3, false));
}

TEST(LetorSource, tells_which_values_are_missing_whatever_the_blocks) {
  const std::string text = "1 qid:a 1:NULL 2:2\n0 qid:a 1:3 3:nan 9:NULL\n2 qid:b 2:NaN\n";
  for (const std::size_t bytes : {1U, 30U, 1000U}) {
    EXPECT_EQ(read(text, {}, 3, bytes).missing,
              (std::vector<MissingValue>{{0, 0}, {1, 2}, {2, 1}}));
    EXPECT_EQ(outcome(text, bytes, {.missing = Missing::error}),
              "a.txt:1:11: the value 'NULL' of feature 1 is missing (missing = error)");
  }
}

TEST(LetorSource, counts_lines_across_blocks) {
  const std::string text = "1 qid:1 1:1\n\n# nothing\n2 qid:1 1:2\n3 qid:2 1:3 x\n";
  for (const std::size_t bytes : {1U, 20U, 1000U}) {
    EXPECT_TRUE(outcome(text, bytes).starts_with("a.txt:5:13: ")) << outcome(text, bytes);
    EXPECT_EQ(outcome(text.substr(0, text.size() - 3) + "\n", bytes), "3 rows");
  }
}

TEST(LetorSource, tells_a_row_that_lacks_a_query_id_in_a_later_block) {
  for (const std::size_t bytes : {1U, 1000U}) {
    EXPECT_TRUE(outcome("1 qid:1 1:1\n2 1:2\n", bytes).starts_with("a.txt:2:3: "));
  }
}

TEST(LetorSource, passes_over_a_byte_order_mark_and_misses_documents) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF"
                    "1 qid:1 1:1\n",
                    4),
            "1 rows");
  EXPECT_EQ(outcome("# nothing\n\n", 4), "a.txt: no documents");
}

}  // namespace
}  // namespace rankine
