#include "base/system/mapped_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

namespace fs = std::filesystem;

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-mapped-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file_of(const std::string& content) const {
    const std::string path = (folder_ / "file").string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static std::string failure(const std::string& path) {
    try {
      const MappedFile file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "no error";
  }
  fs::path folder_;
};

TEST_F(MappedFileTest, shows_the_bytes_of_the_file) {
  const MappedFile file(file_of("some bytes"));
  EXPECT_EQ(std::string(file.bytes().data(), file.bytes().size()), "some bytes");
}

TEST_F(MappedFileTest, of_an_empty_file_is_empty) {
  const MappedFile file(file_of(""));
  EXPECT_TRUE(file.bytes().empty());
  file.release(0, 0);
}

TEST_F(MappedFileTest, may_be_read_a_little_past_its_end) {
  for (const std::size_t size : {1UL, 4090UL, 4096UL, 65536UL}) {
    const MappedFile file(file_of(std::string(size, 'x')));
    EXPECT_EQ(std::string(file.bytes().data() + size, MappedFile::kPadding),
              std::string(MappedFile::kPadding, '\0'));
  }
}

TEST_F(MappedFileTest, shows_the_same_bytes_after_pages_were_given_back) {
  std::string content;
  for (int line = 0; line < 20000; ++line) content += std::to_string(line) + "\n";
  const MappedFile file(file_of(content));
  file.release(0, content.size());
  file.release(5000, 9001);
  file.release(17, 18);
  EXPECT_EQ(std::string(file.bytes().data(), file.bytes().size()), content);
}

TEST_F(MappedFileTest, names_the_file_and_the_cause_of_a_failure) {
  const std::string missing = (folder_ / "none").string();
  EXPECT_EQ(failure(missing), missing + ": cannot read: No such file or directory");
  EXPECT_EQ(failure(folder_.string()), folder_.string() + ": cannot read: it is a directory");
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(failure(pipe), pipe + ": cannot read: it is not a regular file");
}

TEST_F(MappedFileTest, says_that_permission_is_denied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string locked = file_of("x");
  fs::permissions(locked, fs::perms::none);
  EXPECT_EQ(failure(locked), locked + ": cannot read: Permission denied");
}

}  // namespace
}  // namespace rankine
