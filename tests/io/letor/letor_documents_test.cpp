#include "io/letor/letor_documents.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

struct Seen {
  std::vector<float> values;
  std::vector<std::string> ids;
  std::vector<std::string> comments;
  std::vector<bool> dense;
  std::int64_t num_features = 0;
};

Seen read(const std::string& text, const ReadOptions& options, std::int64_t num_columns,
          std::size_t block_bytes) {
  InputBytes input("a.txt", text);
  const Progress progress;
  LetorDocuments source(input, options, progress, num_columns, block_bytes);
  LetorDocuments::Slot slot;
  Seen seen;
  while (source.take(slot)) {
    source.parse(slot);
    source.check(slot);
    const Dataset& documents = slot.block.documents;
    EXPECT_EQ(documents.num_features(), num_columns);
    EXPECT_EQ(documents.num_queries(), std::ssize(slot.block.query_ids));
    seen.dense.push_back(documents.is_dense());
    seen.values.insert(seen.values.end(), slot.block.values.begin(), slot.block.values.end());
    seen.ids.insert(seen.ids.end(), slot.block.query_ids.begin(), slot.block.query_ids.end());
    seen.comments.insert(seen.comments.end(), slot.block.comments.begin(),
                         slot.block.comments.end());
    source.release(slot);
  }
  source.finish();
  seen.num_features = source.num_features();
  return seen;
}

const std::string kText = "1 qid:a 1:1 2:2 #x\n0 qid:a 1:3 5:4 #y\n2 qid:b 2:5 #z\n";

TEST(LetorDocuments, gives_rows_in_the_columns_asked_for_and_counts_all) {
  for (const std::size_t bytes : {1U, 30U, 1000U}) {
    const Seen seen = read(kText, {.storage = Storage::dense, .keep_comments = true}, 3, bytes);
    EXPECT_EQ(seen.values, (std::vector<float>{1, 2, 0, 3, 0, 0, 0, 5, 0}));
    EXPECT_EQ(seen.comments, (std::vector<std::string>{"x", "y", "z"}));
    EXPECT_EQ(seen.num_features, 5);
    EXPECT_EQ(seen.ids.front(), "a");
    EXPECT_EQ(seen.ids.back(), "b");
  }
}

TEST(LetorDocuments, decides_on_storage_by_the_first_rows_for_all) {
  const std::string sparse = "0 qid:a 1:1 90:1\n";
  EXPECT_EQ(read("# none\n" + kText + sparse, {}, 3, 1).dense, std::vector<bool>(5, true));
  EXPECT_EQ(read(sparse + kText, {}, 3, 1).dense, std::vector<bool>(4, false));
  EXPECT_EQ(read(kText, {.num_features = 50}, 3, 1).dense, std::vector<bool>(3, false));
}

}  // namespace
}  // namespace rankine
