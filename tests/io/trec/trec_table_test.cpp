#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/trec.hpp>

#include "base/system/output_file.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

class TrecTableTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-trec-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& text, const std::string& name = "t") const {
    const std::string path = (folder_ / name).string();
    OutputFile output(path);
    output.write(text);
    output.commit();
    return path;
  }
  std::string message(const std::string& text, TrecTable (*read)(const std::string&)) const {
    const std::string path = file(text);
    try {
      read(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      const std::string what = error.what();
      return what.substr(what.find("/t:") + 1);
    }
    return "no error";
  }

  fs::path folder_;
};

/// "query document value" a line.
std::string text_of(const TrecTable& table) {
  std::string text;
  for (std::size_t query = 0; query < table.query_ids.size(); ++query) {
    for (auto entry = table.query_offsets[query]; entry < table.query_offsets[query + 1]; ++entry) {
      const auto index = static_cast<std::size_t>(entry);
      text += std::string(table.query_ids[query]) + " " + std::string(table.document_ids[index]) +
              " " + std::to_string(static_cast<int>(table.values[index])) + "\n";
    }
  }
  return text;
}

TEST_F(TrecTableTest, gathers_the_documents_of_a_query) {
  const auto table = read_qrels(file("2 0 b 1\n1 0 a 0\n2 0 a -1\n1\t0\tc\t2\textra field\r\n"));
  EXPECT_EQ(text_of(table), "2 b 1\n2 a -1\n1 a 0\n1 c 2\n");
}

TEST_F(TrecTableTest, takes_the_score_of_a_run_not_its_rank) {
  const auto table =
      read_run(file("# made by x\n030 Q0 ZF08-175-870  0   4238   prise1\n\n"
                    "030 Q0 ZF08#1 1 17 prise1 and more\n"));
  EXPECT_EQ(text_of(table), "030 ZF08-175-870 4238\n030 ZF08#1 17\n");
}

TEST_F(TrecTableTest, may_be_compressed) {
  EXPECT_EQ(text_of(read_qrels(file("1 0 a 1\n", "q.gz"))), "1 a 1\n");
  EXPECT_EQ(text_of(read_qrels(file("1 0 a 1\n", "q.zst"))), "1 a 1\n");
}

TEST_F(TrecTableTest, says_in_one_line_what_is_wrong) {
  EXPECT_EQ(message("1 0 a 1\n1 0 b\n", read_qrels),
            "t:2: 3 fields, not the 4 of 'query iteration document grade'");
  EXPECT_EQ(message("1 Q0 a 1 0.5\n", read_run),
            "t:1: 5 fields, not the 6 of 'query iteration document rank score run'");
  EXPECT_EQ(message("1 0 a good\n", read_qrels), "t:1: grade 'good' is not a number");
  EXPECT_EQ(message("1 Q0 a 1 nan x\n", read_run), "t:1: score 'nan' is not finite");
  EXPECT_EQ(message("1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", read_run),
            "t:3: document 'a' of query '1' again, after line 1");
  EXPECT_EQ(message("# nothing\n", read_qrels), "t: no lines with data");
}

TEST(QrelsOf, name_documents_by_their_comments) {
  Dataset data;
  data.source = "test.txt";
  data.grades = std::vector<double>{0, 1, 2};
  data.query_offsets = std::vector<std::int64_t>{0, 2, 3};
  data.query_ids = StringList::of({"7", "8"});
  data.comments = StringList::of({"docid = x1 inc = 1", " x2", "x1"});
  EXPECT_EQ(text_of(qrels_of(data)), "7 x1 0\n7 x2 1\n8 x1 2\n");

  const auto message = [&] {
    try {
      qrels_of(data);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  data.input_rows = std::vector<std::int64_t>{0, 2, 1};
  data.comments = StringList::of({"x1", "x1", "x1"});
  EXPECT_EQ(message(), "test.txt: row 3: document 'x1' of query '7' again, after row 1");
  data.comments = StringList::of({"x1", "x2", " "});
  EXPECT_EQ(message(), "test.txt: row 2 has no document id: a run needs one in every comment");
  data.comments = {};
  EXPECT_EQ(message(), "test.txt: row 1 has no document id: a run needs one in every comment");
}

}  // namespace
}  // namespace rankine
