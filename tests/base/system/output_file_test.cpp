#include "base/system/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/program.hpp>

namespace rankine {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-output-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t num_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(OutputFileTest, appears_only_when_committed) {
  OutputFile file(path("a.txt"));
  file.write("hello\n");
  EXPECT_FALSE(fs::exists(path("a.txt")));
  file.commit();
  EXPECT_EQ(content(path("a.txt")), "hello\n");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(OutputFileTest, leaves_the_old_file_and_no_other_when_not_committed) {
  std::ofstream(path("a.txt")) << "old";
  {
    OutputFile file(path("a.txt"));
    file.write("new");
  }
  EXPECT_EQ(content(path("a.txt")), "old");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(OutputFileTest, writes_through_a_symbolic_link) {
  std::ofstream(path("real.txt")) << "old";
  fs::create_symlink("real.txt", path("link.txt"));
  OutputFile file(path("link.txt"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(content(path("real.txt")), "new");
}

TEST_F(OutputFileTest, compresses_by_name) {
  std::string text;
  for (int line = 0; line < 200000; ++line) text += std::to_string(line) + " line\n";
  for (const std::string name : {"a.gz", "a.zst"}) {
    OutputFile file(path(name));
    file.write(std::string_view(text).substr(0, 100));
    file.write(std::string_view(text).substr(100));
    file.commit();
    EXPECT_LT(fs::file_size(path(name)), text.size() / 2);
    const std::string tool = name == "a.gz" ? "gzip -dc " : "zstd -qdc ";
    if (name == "a.zst" && std::system("command -v zstd >/dev/null") != 0) continue;
    ASSERT_EQ(std::system((tool + path(name) + " > " + path("plain")).c_str()), 0);
    EXPECT_EQ(content(path("plain")), text);
  }
}

TEST_F(OutputFileTest, names_the_file_and_the_cause_of_a_failure) {
  const auto message = [](const std::string& target) -> std::string {
    try {
      OutputFile file(target);
      file.write(std::string(1 << 20, 'x'));
      file.commit();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("/dev/full"), "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(message(path("none/a.txt")),
            path("none/a.txt") + ": cannot write: No such file or directory");
  EXPECT_EQ(message(folder_.string()), folder_.string() + ": cannot write: it is a directory");
}

TEST_F(OutputFileTest, does_not_take_a_file_for_standard_output) {
  const int kept = ::dup(STDOUT_FILENO);
  ::close(STDOUT_FILENO);
  std::string message = "no error";
  {
    OutputFile file(path("a.txt"));
    file.write("hello");
    file.commit();
    try {
      const OutputFile output("-");
    } catch (const Error& error) {
      message = error.what();
    }
  }
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  EXPECT_EQ(content(path("a.txt")), "hello");
  EXPECT_EQ(message, "standard output: cannot write: it is closed");
}

TEST_F(OutputFileTest, can_be_checked_before_there_is_anything_to_write) {
  std::ofstream(path("a.txt")) << "old";
  check_output(path("a.txt"));
  check_output(path("b.txt"));
  check_output("/dev/null");
  check_output("-");
  EXPECT_EQ(content(path("a.txt")), "old");
  EXPECT_EQ(num_files(), 1U);
  EXPECT_THROW(check_output(path("none/a.txt")), Error);
  EXPECT_THROW(check_output(folder_.string()), Error);
}

TEST_F(OutputFileTest, checking_a_pipe_does_not_end_its_reader) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  check_output(path("pipe"));  // would wait for a reader if it opened the pipe
}

}  // namespace
}  // namespace rankine
