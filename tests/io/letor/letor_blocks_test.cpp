#include "io/letor/letor_blocks.hpp"

#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

std::string outcome(const std::string& text, std::size_t block_bytes) {
  InputBytes input("a.txt", text);
  const ReadOptions options;
  const Progress progress;
  LetorBlocks blocks(input, options, progress);
  LetorBlock block;
  try {
    while (blocks.take(block, block_bytes)) {
      blocks.parse(block);
      blocks.check(block);
      blocks.release(block);
    }
    blocks.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return std::to_string(blocks.num_rows()) + " rows";
}

TEST(LetorBlocks, counts_lines_across_blocks) {
  const std::string text = "1 qid:1 1:1\n\n# nothing\n2 qid:1 1:2\n3 qid:2 1:3 x\n";
  for (const std::size_t bytes : {1U, 20U, 1000U}) {
    EXPECT_TRUE(outcome(text, bytes).starts_with("a.txt:5:13: ")) << outcome(text, bytes);
    EXPECT_EQ(outcome(text.substr(0, text.size() - 3) + "\n", bytes), "3 rows");
  }
}

TEST(LetorBlocks, tells_a_row_that_lacks_a_query_id_in_a_later_block) {
  for (const std::size_t bytes : {1U, 1000U}) {
    EXPECT_TRUE(outcome("1 qid:1 1:1\n2 1:2\n", bytes).starts_with("a.txt:2:3: "));
  }
}

TEST(LetorBlocks, passes_over_a_byte_order_mark_and_misses_documents) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF"
                    "1 qid:1 1:1\n",
                    4),
            "1 rows");
  EXPECT_EQ(outcome("# nothing\n\n", 4), "a.txt: no documents");
}

}  // namespace
}  // namespace rankine
