#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/scores.hpp>

#include "base/system/output_file.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

class ScoreFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-scores-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    data_.source = "test.txt";
    data_.grades = std::vector<double>{0, 1, 2};
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    OutputFile output(path);
    output.write(text);
    output.commit();
    return path;
  }
  /// The error's message, without the folder.
  std::string message(const std::string& text) const {
    const std::string path = file("s", text);
    try {
      read_scores(path, data_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      const std::string what = error.what();
      return what.substr(what.find("/s:") + 1);
    }
    return "no error";
  }

  fs::path folder_;
  Dataset data_;
};

TEST_F(ScoreFileTest, is_a_number_a_line_with_comments_and_blank_lines) {
  const auto path = file("s", "# scores of m\n1.5\r\n\n -2e-3 \n+7");
  EXPECT_EQ(read_scores(path, data_), (std::vector<double>{1.5, -2e-3, 7}));
}

TEST_F(ScoreFileTest, may_be_compressed) {
  for (const std::string name : {"s.gz", "s.zst"}) {
    EXPECT_EQ(read_scores(file(name, "1\n2\n3\n"), data_), (std::vector<double>{1, 2, 3}));
  }
}

TEST_F(ScoreFileTest, follows_the_inputs_rows_where_queries_were_gathered) {
  data_.input_rows = std::vector<std::int64_t>{0, 2, 1};
  EXPECT_EQ(read_scores(file("s", "10\n20\n30\n"), data_), (std::vector<double>{10, 30, 20}));
}

TEST_F(ScoreFileTest, says_in_one_line_what_is_wrong) {
  EXPECT_EQ(message("1\nabc\n3\n"), "s:2: 'abc' is not a number");
  EXPECT_EQ(message("1\n2 3\n"), "s:2: '2 3' is not a number");
  EXPECT_EQ(message("1\nnan\n3\n"), "s:2: 'nan' is not finite");
  EXPECT_EQ(message("1\n2\n-inf\n"), "s:3: '-inf' is not finite");
  EXPECT_EQ(message("1\n2\n1e999\n"), "s:3: '1e999' is too large");
  EXPECT_EQ(message("1\n2\n"), "s: 2 scores for the 3 documents of test.txt");
  EXPECT_EQ(message("1\n2\n3\n4\n"), "s: 4 scores for the 3 documents of test.txt");
  EXPECT_EQ(message(""), "s: 0 scores for the 3 documents of test.txt");
}

}  // namespace
}  // namespace rankine
