#include <gtest/gtest.h>

#include <rankine/read.hpp>

namespace rankine {
namespace {

TEST(DocumentIdTest, is_what_follows_docid) {
  EXPECT_EQ(document_id("docid = GX029-35-5894638 inc = 0.0119 prob = 0.139842"),
            "GX029-35-5894638");
  EXPECT_EQ(document_id(" docid=244338\r"), "244338");
  EXPECT_EQ(document_id("docid ="), "");
}

TEST(DocumentIdTest, is_otherwise_the_first_word) {
  EXPECT_EQ(document_id("  d17 and more"), "d17");
  EXPECT_EQ(document_id("docid 5"), "docid");
  EXPECT_EQ(document_id("docids=5 x"), "docids=5");
  EXPECT_EQ(document_id(""), "");
  EXPECT_EQ(document_id(" \t"), "");
}

}  // namespace
}  // namespace rankine
