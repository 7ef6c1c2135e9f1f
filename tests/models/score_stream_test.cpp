#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/model.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>
#include <rankine/train.hpp>
#include <rankine/write.hpp>

#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

constexpr std::array kScalings{Scaling::none,         Scaling::standard, Scaling::minmax,
                               Scaling::query_minmax, Scaling::quantile, Scaling::log};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Several blocks of text, with a comment a row. `sparse` leaves most features out, in the first
/// block the last columns altogether; `scattered` deals the rows of queries out in turns.
std::string letor_text(bool sparse, bool scattered, int num_rows = 4500) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  std::string text;
  for (int row = 0; row < num_rows; ++row) {
    const int query = scattered ? row % 300 : row / 30;
    text += std::to_string(random() % 3) + " qid:q" + std::to_string(query);
    const int num_features = row < 2500 ? 17 : 19;
    for (int f = 1; f <= num_features; ++f) {
      if (sparse && random() % 8 != 0) continue;
      text += " " + std::to_string(f) + ":" + std::to_string(normal(random));
    }
    text += " # docid = d" + std::to_string(row) + "\n";
  }
  return text;
}

Model trained(const Dataset& data, Scaling scaling, const std::string& features = "") {
  TrainOptions options;
  options.scaling = scaling;
  options.features = features;
  return train(data, options).model;
}

/// What score_file promises to equal.
std::string expected(const TemporaryFolder& folder, const Model& model, const std::string& input,
                     ScoreFormat format, ReadOptions reading = {}) {
  reading.keep_comments = format == ScoreFormat::trec;
  const Dataset data = read_dataset(input, reading);
  write_scores(folder.path("expected"), data, model.score(data), format);
  return content(folder.path("expected"));
}

class ScoreFile : public testing::Test {
 protected:
  void expect_same(const Model& model, const std::string& input, const std::string& what,
                   bool with_runs = true, const ReadOptions& reading = {}) {
    for (const ScoreFormat format : {ScoreFormat::plain, ScoreFormat::trec}) {
      if (format == ScoreFormat::trec && !with_runs) continue;
      const std::string wanted = expected(folder_, model, input, format, reading);
      for (const int threads : {1, 3}) {
        ScoreFileOptions options{.format = format, .reading = reading};
        options.reading.threads = threads;
        const ScoredFile scored = score_file(model, input, folder_.path("got"), options);
        EXPECT_EQ(content(folder_.path("got")), wanted) << what << " threads " << threads;
        EXPECT_EQ(scored.num_documents, read_dataset(input, reading).num_documents()) << what;
        EXPECT_EQ(scored.num_features, read_dataset(input, reading).num_features()) << what;
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(ScoreFile, equals_scoring_the_whole_for_every_scaling_format_and_storage) {
  for (const bool sparse : {false, true}) {
    for (const bool scattered : {false, true}) {
      const std::string path = folder_.path("data.txt");
      write_text(path, letor_text(sparse, scattered));
      const Dataset data = read_dataset(path);
      ASSERT_EQ(data.is_dense(), !sparse);
      for (const Scaling scaling : kScalings) {
        expect_same(trained(data, scaling), path,
                    std::string(name_of(scaling)) + (sparse ? " sparse" : " dense") +
                        (scattered ? " scattered" : ""));
      }
    }
  }
}

TEST_F(ScoreFile, equals_scoring_the_whole_for_csv_and_the_cache) {
  write_text(folder_.path("data.txt"), letor_text(false, true));
  const Dataset scattered = read_dataset(folder_.path("data.txt"), {.keep_comments = true});
  write_text(folder_.path("data.txt"), letor_text(true, false));
  const Dataset sparse = read_dataset(folder_.path("data.txt"), {.keep_comments = true});
  for (const Dataset& data : {scattered, sparse}) {
    write_dataset(folder_.path("data.csv"), data);
    write_dataset(folder_.path("data.rkd"), data);
    for (const Scaling scaling : kScalings) {
      const Model model = trained(data, scaling);
      expect_same(model, folder_.path("data.csv"), "csv", false);
      expect_same(model, folder_.path("data.rkd"), "cache");
    }
  }
}

TEST_F(ScoreFile, keeps_its_bits_where_the_data_is_narrower_or_wider_than_the_model) {
  std::mt19937_64 random(5);
  const std::string path = folder_.path("data.txt");
  write_text(path, letor_text(false, false));
  for (const std::int64_t width : {18, 23, 40}) {
    const Dataset other = oracles::random_dataset(random, {.queries = 40, .features = width});
    for (const Scaling scaling : kScalings) {
      expect_same(trained(other, scaling), path, std::to_string(width) + " columns");
    }
  }
}

TEST_F(ScoreFile, reads_what_is_compressed_and_what_options_ask_for) {
  const std::string path = folder_.path("data.txt");
  write_text(path, letor_text(true, false));
  const Dataset data = read_dataset(path, {.keep_comments = true});
  const Model model = trained(data, Scaling::standard);
  write_dataset(folder_.path("data.txt.gz"), data);
  write_dataset(folder_.path("data.rkd"), data);
  expect_same(model, folder_.path("data.txt.gz"), "gz");
  expect_same(model, path, "dense", true, {.storage = Storage::dense});
  expect_same(model, path, "wide", true, {.storage = Storage::sparse, .num_features = 50});
  expect_same(model, folder_.path("data.rkd"), "dense", true, {.storage = Storage::dense});
}

TEST_F(ScoreFile, takes_query_sizes_from_a_side_file) {
  const std::string path = folder_.path("data.txt");
  write_text(path, "1 1:4 # a\n0 1:2 # b\n2 1:7 # c\n0 1:9 # d\n0 1:1 # e\n");
  write_text(path + ".query", "2\n3\n");
  const Model model = trained(read_dataset(path), Scaling::query_minmax);
  expect_same(model, path, "side file");
}

TEST_F(ScoreFile, of_selected_features_needs_them) {
  const std::string path = folder_.path("data.txt");
  write_text(path, letor_text(false, false, 200));
  std::mt19937_64 random(5);
  const Dataset wide = oracles::random_dataset(random, {.queries = 40, .features = 30});
  expect_same(trained(wide, Scaling::none, "3,17"), path, "selected");
  const std::string before = content(folder_.path("got"));
  const Model model = trained(wide, Scaling::none, "3,21");
  try {
    score_file(model, path, folder_.path("got"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": the model uses feature 21 and the data has 17");
  }
  EXPECT_EQ(content(folder_.path("got")), before);
}

TEST_F(ScoreFile, names_the_line_of_the_first_mistake_and_writes_nothing) {
  const std::string path = folder_.path("data.txt");
  write_text(path, letor_text(false, false) + "1 qid:q 2:1 1:1\n" + letor_text(false, false) +
                       "1 qid:q x\n");
  write_text(folder_.path("good.txt"), letor_text(false, false, 300));
  const Model model = trained(read_dataset(folder_.path("good.txt")), Scaling::none);
  for (const int threads : {1, 3}) {
    try {
      score_file(model, path, folder_.path("got"), {.reading = {.threads = threads}});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), path + ":4501:13: feature index 1 after 2: indices must increase");
    }
    EXPECT_FALSE(std::filesystem::exists(folder_.path("got")));
  }
}

TEST_F(ScoreFile, of_a_run_needs_document_ids) {
  const std::string path = folder_.path("data.txt");
  write_text(path, "1 qid:1 1:4 # a\n0 qid:1 1:2\n");
  const Model model = trained(read_dataset(path), Scaling::none);
  try {
    score_file(model, path, folder_.path("got"), {.format = ScoreFormat::trec});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": a document of query 1 has no id in its comment");
  }
}

}  // namespace
}  // namespace rankine
