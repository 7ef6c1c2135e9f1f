#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/scores.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Two queries whose rows alternate in the input.
Dataset alternating() {
  Dataset data;
  data.source = "data.txt";
  data.features = DenseMatrix{4, 1, std::vector<float>{1, 2, 3, 4}};
  data.grades = std::vector<double>{0, 1, 2, 3};
  data.query_offsets = std::vector<std::int64_t>{0, 2, 4};
  data.query_ids = StringList::of({"a", "b"});
  data.input_rows = std::vector<std::int64_t>{0, 2, 1, 3};
  data.comments = StringList::of({"docid = d0", "docid = d2", "docid = d1", "docid = d3"});
  return data;
}

TEST(WriteScores, keeps_the_order_of_the_input) {
  const TemporaryFolder folder;
  const std::string path = folder.path("scores.txt");
  write_scores(path, alternating(), std::vector<double>{0.1, 0.2, 1.0 / 3, -4});
  EXPECT_EQ(content(path), "0.1\n0.3333333333333333\n0.2\n-4\n");
}

TEST(WriteScores, reads_back_the_same) {
  const TemporaryFolder folder;
  const std::string path = folder.path("scores.txt.gz");
  const std::vector<double> scores{0.1, 0.2, 1.0 / 3, -4e300};
  write_scores(path, alternating(), scores);
  EXPECT_EQ(read_scores(path, alternating()), scores);
}

TEST(WriteScores, of_a_run_ranks_the_best_first) {
  const TemporaryFolder folder;
  const std::string path = folder.path("run.txt");
  write_scores(path, alternating(), std::vector<double>{1, 2, 4, 3}, ScoreFormat::trec, "mine");
  EXPECT_EQ(content(path),
            "a Q0 d2 1 2 mine\na Q0 d0 2 1 mine\nb Q0 d1 1 4 mine\nb Q0 d3 2 3 mine\n");
}

TEST(WriteScores, of_a_run_needs_document_ids) {
  const TemporaryFolder folder;
  Dataset data = alternating();
  data.comments = {};
  try {
    write_scores(folder.path("run.txt"), data, std::vector<double>(4), ScoreFormat::trec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "data.txt: a run needs document ids, in comments");
  }
}

}  // namespace
}  // namespace rankine
