#include "base/text/text_lines.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace rankine {
namespace {

TEST(TextLines, pass_over_blank_lines_and_comments_and_count_them) {
  const auto path =
      std::filesystem::temp_directory_path() / ("rankine-lines-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << "# head\n a b \r\n\n\t\n  # more\nlast";
  InputBytes input(path.string());
  std::vector<std::pair<std::int64_t, std::string>> lines;
  for_each_line(
      input, [&](std::int64_t number, std::string_view line) { lines.emplace_back(number, line); });
  std::filesystem::remove(path);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], std::pair(std::int64_t{2}, std::string("a b")));
  EXPECT_EQ(lines[1], std::pair(std::int64_t{6}, std::string("last")));
}

TEST(TextLines, number_across_blocks) {
  const auto path =
      std::filesystem::temp_directory_path() / ("rankine-blocks-" + std::to_string(::getpid()));
  constexpr std::int64_t kNumLines = 400000;  // some megabytes, so more than one block
  {
    std::ofstream file(path);
    for (std::int64_t line = 1; line <= kNumLines; ++line) file << line << "\n";
  }
  InputBytes input(path.string());
  std::int64_t count = 0;
  for_each_line(input, [&](std::int64_t number, std::string_view line) {
    ASSERT_EQ(std::to_string(number), line);
    ++count;
  });
  std::filesystem::remove(path);
  EXPECT_EQ(count, kNumLines);
}

TEST(Trimmed, leaves_nothing_of_blanks) {
  EXPECT_EQ(trimmed(" \t\r "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" a b\r"), "a b");
}

}  // namespace
}  // namespace rankine
