#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/printable.hpp>

namespace rankine {
namespace {

TEST(Printable, leaves_text_as_it_is) {
  for (const char* text : {"", "bm25", "größe", "标题 \"x\" \\n", "naïve \xf0\x9f\x98\x80"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, shows_line_ends_and_escape_sequences) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m\x07"), "\\x1b[31mred\\x1b[0m\\x07");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the other way to begin an escape sequence
  EXPECT_EQ(printable("abc\xe2\x80\xae"
                      "cba"),
            "abc\\u202ecba");  // writes from right to left
}

TEST(Printable, shows_bytes_that_are_not_utf_8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // too long a form
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");  // the same
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, escapes_json_as_json_does) {
  EXPECT_EQ(printable_json("{\n  \"größe\": \"\x7f\xc2\x9b\"\n}"),
            "{\n  \"größe\": \"\\u007f\\u009b\"\n}");
}

TEST(Printable, is_every_message_of_an_error) {
  EXPECT_STREQ(Error(ErrorKind::data, "a\nb\x1b[2J").what(), "a\\nb\\x1b[2J");
}

}  // namespace
}  // namespace rankine
