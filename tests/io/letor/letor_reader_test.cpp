#include "io/letor/letor_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/system/output_file.hpp"
#include "oracles/letor_text.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;
using oracles::LetorText;
using oracles::LetorTextOptions;

constexpr std::size_t kBlockSizes[] = {1, 100, 5000, kTextBlockBytes};

class LetorReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-letor-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    OutputFile file(path);
    file.write(text);
    file.commit();
    return path;
  }
  static Dataset read(const std::string& path, const ReadOptions& options = {},
                      std::size_t block_bytes = kTextBlockBytes) {
    InputBytes input(path);
    return read_letor_text(input, options, {}, block_bytes);
  }
  /// The message without the folder; the same for all numbers of threads and sizes of blocks.
  std::string error_of(const std::string& text) const {
    const std::string path = write("f.txt", text);
    std::vector<std::string> messages;
    for (const std::size_t block_bytes : kBlockSizes) {
      for (ReadOptions options; options.threads = options.threads * 2 + 1, options.threads < 8;) {
        try {
          read(path, options, block_bytes);
          messages.emplace_back("no error");
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::data);
          messages.emplace_back(error.what());
        }
        EXPECT_EQ(messages.back(), messages.front()) << block_bytes << " " << options.threads;
      }
    }
    const std::string prefix = folder_.string() + "/";
    return messages.front().starts_with(prefix) ? messages.front().substr(prefix.size())
                                                : messages.front();
  }
  fs::path folder_;
};

std::vector<float> dense_row(const Dataset& data, std::size_t doc) {
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    const auto row = dense->row(static_cast<std::int64_t>(doc));
    return {row.begin(), row.end()};
  }
  const auto& sparse = std::get<CsrMatrix>(data.features);
  std::vector<float> row(static_cast<std::size_t>(sparse.num_columns));
  for (auto entry = static_cast<std::size_t>(sparse.offsets[doc]);
       entry < static_cast<std::size_t>(sparse.offsets[doc + 1]); ++entry) {
    row[sparse.columns[entry]] = sparse.values[entry];
  }
  return row;
}

/// Gathers the slow way, and compares everything.
void expect_equal(const Dataset& data, const LetorText& text) {
  std::vector<std::string> ids;
  for (const std::string& id : text.ids) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  ASSERT_EQ(data.query_ids.size(), ids.size());
  ASSERT_EQ(data.grades.size(), text.grades.size());
  ASSERT_EQ(data.num_features(), static_cast<std::int64_t>(text.num_columns));
  EXPECT_EQ(data.num_missing, text.num_missing);
  std::size_t doc = 0;
  for (std::size_t query = 0; query < ids.size(); ++query) {
    EXPECT_EQ(data.query_ids[query], ids[query]);
    EXPECT_EQ(data.query_offsets[query], static_cast<std::int64_t>(doc));
    for (std::size_t row = 0; row < text.ids.size(); ++row) {
      if (text.ids[row] != ids[query]) continue;
      ASSERT_EQ(data.grades[doc], text.grades[row]);
      std::vector<float> expected = text.rows[row];
      expected.resize(text.num_columns);
      ASSERT_EQ(dense_row(data, doc), expected);
      if (!data.comments.empty()) {
        ASSERT_EQ(data.comments[doc], text.comments[row]);
      }
      if (data.input_rows.empty()) {
        ASSERT_EQ(row, doc);
      } else {
        ASSERT_EQ(data.input_rows[doc], static_cast<std::int64_t>(row));
      }
      ++doc;
    }
  }
}

TEST_F(LetorReaderTest, reads_the_same_with_any_threads_blocks_storage_and_compression) {
  for (unsigned seed = 0; seed < 18; ++seed) {
    LetorTextOptions made;
    made.num_rows = 1 + seed * 9;
    made.num_columns = seed % 6 == 0 ? 1100 : 20;
    made.density = seed % 2 == 0 ? 0.9 : 0.1;
    made.gathered = seed % 3 == 0;
    made.has_query_ids = seed % 5 != 0;
    made.zero_based = seed % 7 == 0;
    const LetorText text = oracles::make_letor_text(seed, made);
    for (const char* name : {"a.txt", "a.gz", "a.zst"}) {
      const std::string path = write(name, text.text);
      ReadOptions options;
      options.zero_based = made.zero_based;
      for (const int threads : {1, 2, 5}) {
        options.threads = threads;
        options.storage = static_cast<Storage>((seed + static_cast<unsigned>(threads)) % 3);
        options.keep_comments = threads != 2;
        const Dataset data = read(path, options, kBlockSizes[(seed + 1) % 4]);
        EXPECT_EQ(data.comments.empty(), !options.keep_comments);
        expect_equal(data, text);
        if (HasFatalFailure()) FAIL() << name << " seed " << seed << " threads " << threads;
      }
    }
  }
}

TEST_F(LetorReaderTest, reports_the_first_error_of_the_text) {
  std::string text;
  for (int row = 0; row < 300; ++row) text += "1 qid:1 1:0.5 2:0.25\n";
  EXPECT_EQ(error_of(text + "1 qid:1 13:1 12:1\n" + text + "1 qid:1 0:1\nx\n" + text),
            "f.txt:301:14: feature index 12 after 13: indices must increase");
  EXPECT_EQ(error_of(text + "1 1:0.5\nx\n" + text),
            "f.txt:301:3: no qid here, but the rows before have one: give every row one or none");
  EXPECT_EQ(error_of("\n# c\n1 1:1\n" + text),
            "f.txt:4:3: a qid here, but none in the rows before: give every row one or none");
  EXPECT_EQ(error_of("1 1:1\n\n1 qid:1 1:x\n"),
            "f.txt:3:3: a qid here, but none in the rows before: give every row one or none");
  EXPECT_EQ(error_of(text + text + "2"),
            "f.txt:601:2: no qid here, but the rows before have one: give every row one or none");
  EXPECT_EQ(error_of(text + "\xEF\xBB\xBF"), "f.txt:301:1: the byte 0xef does not belong in text");
}

TEST_F(LetorReaderTest, says_that_there_are_no_documents) {
  EXPECT_EQ(error_of(""), "f.txt: no documents");
  EXPECT_EQ(error_of("\n\r\n  \n# a comment\n"), "f.txt: no documents");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "f.txt: no documents");
}

TEST_F(LetorReaderTest, skips_a_byte_order_mark) {
  const Dataset data = read(write("f.txt",
                                  "\xEF\xBB\xBF"
                                  "2 qid:1 1:0.5\n"));
  EXPECT_EQ(data.num_documents(), 1);
  EXPECT_EQ(error_of("\xEF\xBB\xBF"
                     "2 qid:1 0:0.5\n"),
            "f.txt:1:9: feature index 0: indices start at 1 (--zero-based if yours start at 0)");
}

TEST_F(LetorReaderTest, says_that_compressed_text_is_cut_short_unless_an_error_comes_first) {
  std::string text;
  for (int row = 0; row < 20000; ++row) text += "1 qid:1 1:0." + std::to_string(row * 7919) + "\n";
  for (const char* name : {"a.gz", "a.zst"}) {
    const std::string kind = name == std::string("a.gz") ? "gzip" : "zstd";
    const std::string path = write(name, text);
    fs::resize_file(path, fs::file_size(path) - 5);
    const std::string bad = write(std::string("b") + (name + 1), "1 qid:1 1:x\n" + text);
    fs::resize_file(bad, fs::file_size(bad) - 5);
    for (ReadOptions options; ++options.threads < 4;) {
      try {
        read(path, options, 1000);
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        EXPECT_EQ(error.what(), path + ": the " + kind + " data ends too early: it is cut short");
      }
      try {
        read(bad, options, 1000);
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), bad + ":1:11: the value 'x' of feature 1 is not a number");
      }
    }
  }
}

TEST_F(LetorReaderTest, makes_one_query_of_rows_without_qid) {
  const Dataset data = read(write("f.txt", "1 1:1\n0 2:1\n0.5\n"));
  EXPECT_EQ(data.num_queries(), 1);
  EXPECT_EQ(data.query_ids[0], "");
  EXPECT_EQ(data.num_documents(), 3);
}

TEST_F(LetorReaderTest, reads_grades_that_give_no_pairs) {
  EXPECT_EQ(read(write("f.txt", "1 qid:1 1:1\n1 qid:1 1:2\n0 qid:2 1:1\n")).num_queries(), 2);
}

TEST_F(LetorReaderTest, makes_columns_that_the_data_lacks) {
  ReadOptions options;
  options.num_features = 7;
  const std::string path = write("f.txt", "1 qid:1 1:1 2:3\n1 qid:1 1:2\n");
  const Dataset sparse = read(path, options);
  EXPECT_EQ(sparse.num_features(), 7);
  EXPECT_FALSE(sparse.is_dense());
  options.storage = Storage::dense;
  EXPECT_EQ(dense_row(read(path, options), 0), (std::vector<float>{1, 3, 0, 0, 0, 0, 0}));
  options.num_features = 1;
  EXPECT_EQ(read(path, options).num_features(), 2);
}

TEST_F(LetorReaderTest, reads_grades_and_ids_alone_when_asked_to) {
  ReadOptions options;
  options.skip_features = true;
  options.keep_comments = true;
  options.num_features = 5;
  const Dataset data = read(write("f.txt", "1 qid:b 1:1 2:3 # x\n2 qid:a 1:2\n"), options);
  EXPECT_EQ(data.num_features(), 0);
  EXPECT_EQ(data.num_documents(), 2);
  EXPECT_EQ(data.comments[0], " x");
  EXPECT_EQ(data.query_ids[1], "a");
}

TEST_F(LetorReaderTest, tells_its_progress_and_stops_when_asked_to) {
  std::string text;
  while (text.size() < (std::size_t{1} << 24)) text += "1 qid:1 1:0.5 2:0.25 3:0.125\n";
  const std::string path = write("f.txt", text);
  for (const int threads : {1, 3}) {
    ReadOptions options;
    options.threads = threads;
    std::vector<std::int64_t> done;
    const auto follow = [&](const ProgressEvent& event) {
      EXPECT_EQ(event.stage, "reading " + path);
      EXPECT_EQ(event.unit, "bytes");
      EXPECT_EQ(event.total, static_cast<std::int64_t>(text.size()));
      done.push_back(event.done);
      return true;
    };
    InputBytes input(path);
    read_letor_text(input, options, follow);
    ASSERT_GE(done.size(), 2U);
    EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
    EXPECT_EQ(done.back(), static_cast<std::int64_t>(text.size()));
    try {
      InputBytes again(path);
      read_letor_text(again, options, [](const ProgressEvent&) { return false; });
      FAIL() << "not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
      EXPECT_EQ(error.what(), path + ": reading was interrupted");
    }
  }
}

}  // namespace
}  // namespace rankine
