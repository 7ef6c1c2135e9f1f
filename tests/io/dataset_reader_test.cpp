#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/read.hpp>
#include <rankine/write.hpp>

#include "base/system/output_file.hpp"

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

TEST_F(DatasetReaderTest, knows_csv_by_name_or_by_its_header) {
  const std::string table = "label,qid,a,b\n2,q1,0.5,1\n1,q1,0.25,0\n";
  for (const char* name : {"t.csv", "t.tsv", "t.data", "t.csv.gz", "t.csv.zst"}) {
    const std::string path = (folder_ / name).string();
    OutputFile file(path);
    file.write(table);
    file.commit();
    const Dataset data = read_dataset(path);
    EXPECT_EQ(data.num_features(), 2) << name;
    EXPECT_EQ(data.query_ids[0], "q1");
  }
  const Dataset marked = read_dataset(write("m.data", "\xEF\xBB\xBF" + table));
  EXPECT_EQ(marked.num_documents(), 2);
}

TEST_F(DatasetReaderTest, takes_what_does_not_start_like_a_header_for_letor_text) {
  EXPECT_EQ(error_of(write("a", "relevant qid:1,2 1:1\n")),
            (folder_ / "a").string() + ":1:1: the grade 'relevant' is not a number");
  EXPECT_EQ(error_of(write("a", "\x7f,b\n")),
            (folder_ / "a").string() + ":1:1: the byte 0x7f does not belong in text");
  EXPECT_EQ(error_of(write("a", "1,2,3\n")),
            (folder_ / "a").string() + ":1:1: the grade '1,2,3' is not a number");
  EXPECT_EQ(error_of(write("a", "")), (folder_ / "a").string() + ": no documents");
}

TEST_F(DatasetReaderTest, obeys_the_format_it_is_told) {
  ReadOptions options;
  options.format = DataFormat::letor;
  const std::string path = write("a.csv", "2 qid:1 1:0.5\n");
  EXPECT_EQ(read_dataset(path, options).num_documents(), 1);
  EXPECT_EQ(read_letor(path).num_documents(), 1);
}

TEST_F(DatasetReaderTest, knows_a_cache_by_its_first_bytes_and_gives_it_another_form_on_request) {
  const Dataset data = read_dataset(write("train.txt", "2 qid:1 1:0.5 3:4\n1 qid:2 2:1\n"));
  const std::string path = (folder_ / "train.rkd").string();
  write_dataset(path, data);
  fs::copy_file(path, folder_ / "renamed");
  const std::string renamed = (folder_ / "renamed").string();
  EXPECT_TRUE(read_dataset(renamed).is_dense());
  ReadOptions options;
  options.storage = Storage::sparse;
  options.num_features = 9;
  const Dataset sparse = read_dataset(renamed, options);
  EXPECT_FALSE(sparse.is_dense());
  EXPECT_EQ(sparse.num_features(), 9);
  EXPECT_EQ(sparse.num_documents(), 2);
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
  EXPECT_EQ(read_dataset("-").num_features(), 3);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
}

TEST_F(DatasetReaderTest, gives_the_new_columns_of_a_cache_empty_names) {
  ReadOptions options;
  options.feature_names = write("names", "one\ntwo\n");
  const Dataset data = read_dataset(write("train.txt", "2 qid:1 1:0.5 2:4\n"), options);
  const std::string path = (folder_ / "train.rkd").string();
  write_dataset(path, data);
  const Dataset wide = read_dataset(path, {.num_features = 4});
  ASSERT_EQ(wide.feature_names.size(), 4U);
  EXPECT_EQ(wide.feature_names[1], "two");
  EXPECT_EQ(wide.feature_names[3], "");
  EXPECT_NO_THROW(write_dataset(path, wide));
}

TEST_F(DatasetReaderTest, says_that_a_cache_by_name_is_none) {
  EXPECT_NE(error_of(write("train.rkd", "2 qid:1 1:0.5\n")), "no error");
}

TEST_F(DatasetReaderTest, attaches_the_files_beside_the_data) {
  const std::string path = write("train.txt", "2 1:0.5\n1 1:1\n0 1:2\n");
  write("train.txt.query", "1\n2\n");
  write("train.txt.weight", "1\n2\n3\n");
  const Dataset data = read_dataset(path);
  EXPECT_EQ(data.num_queries(), 2);
  EXPECT_EQ(data.document_weights.size(), 3U);
}

TEST_F(DatasetReaderTest, reads_the_real_sets) {
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const fs::path letor = named != nullptr ? named : RANKINE_TEST_DATA "/../../build/letor";
  if (!fs::exists(letor / "mq2007")) GTEST_SKIP() << "no LETOR data in " << letor;
  const Dataset train = read_dataset((letor / "mq2007/Fold1/train.txt").string());
  EXPECT_EQ(train.num_documents(), 42158);
  EXPECT_EQ(train.num_queries(), 1017);
  EXPECT_EQ(train.num_features(), 46);
  EXPECT_TRUE(train.is_dense());
}

}  // namespace
}  // namespace rankine
