#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/read.hpp>

namespace rankine {
namespace {

namespace fs = std::filesystem;

class DatasetReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-reader-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string error_of(const std::string& path, const ReadOptions& options = {},
                              ErrorKind kind = ErrorKind::data) {
    try {
      read_dataset(path, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "no error";
  }
  fs::path folder_;
};

TEST_F(DatasetReaderTest, reads_letor_text_by_default) {
  const Dataset data = read_dataset(write("train.txt", "2 qid:1 1:0.5 # docid = 3\n"));
  EXPECT_EQ(data.num_documents(), 1);
  EXPECT_EQ(data.source, (folder_ / "train.txt").string());
  EXPECT_EQ(read_letor(data.source).num_features(), 1);
}

TEST_F(DatasetReaderTest, reads_standard_input) {
  const std::string path = write("train.txt", "2 qid:1 1:0.5\n1 qid:1 1:x\n");
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
  EXPECT_EQ(error_of("-"), "standard input:2:11: the value 'x' of feature 1 is not a number");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
}

TEST_F(DatasetReaderTest, says_why_a_path_cannot_be_read) {
  const std::string missing = (folder_ / "none.txt").string();
  EXPECT_EQ(error_of(missing), missing + ": cannot read: No such file or directory");
  EXPECT_EQ(error_of(folder_.string()), folder_.string() + ": cannot read: it is a directory");
}

TEST_F(DatasetReaderTest, says_that_permission_is_denied) {
  const std::string path = write("train.txt", "2 qid:1 1:0.5\n");
  fs::permissions(path, fs::perms::none);
  constexpr uid_t kNobody = 65534;
  const bool root = ::geteuid() == 0;
  if (root && ::seteuid(kNobody) != 0) GTEST_SKIP() << "root may read everything";
  const std::string message = error_of(path);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(message, path + ": cannot read: Permission denied");
}

TEST_F(DatasetReaderTest, checks_its_options) {
  ReadOptions options;
  options.num_features = -1;
  EXPECT_EQ(error_of(write("train.txt", "1"), options, ErrorKind::option),
            "num_features = -1 must be in [0, 4294967295]");
}

TEST_F(DatasetReaderTest, reads_the_real_sets) {
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const fs::path letor = named != nullptr ? named : RANKINE_SOURCE_DIR "/build/letor";
  if (!fs::exists(letor / "mq2007")) GTEST_SKIP() << "no LETOR data in " << letor;
  const Dataset train = read_dataset((letor / "mq2007/Fold1/train.txt").string());
  EXPECT_EQ(train.num_documents(), 42158);
  EXPECT_EQ(train.num_queries(), 1017);
  EXPECT_EQ(train.num_features(), 46);
  EXPECT_TRUE(train.is_dense());
}

}  // namespace
}  // namespace rankine
