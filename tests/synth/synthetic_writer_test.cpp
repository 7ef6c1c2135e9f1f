#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

/// FNV-1a.
std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

struct Written {
  std::string data;
  std::string true_scores;
};

Written written(const SynthOptions& options, int threads = 0) {
  const TemporaryFolder folder;
  write_synthetic(folder.path("data.txt"), options, folder.path("scores.txt"), threads);
  return {folder.content("data.txt"), folder.content("scores.txt")};
}

/// One of each kind.
std::vector<SynthOptions> kinds() {
  return {
      {.queries = 30},
      {.queries = 20, .documents = 12, .lengths = LengthDistribution::uniform, .truth = Truth::rbf},
      {.queries = 10,
       .documents = 8,
       .lengths = LengthDistribution::geometric,
       .features = 3000,
       .density = 0.02,
       .seed = 7},
      {.queries = 15,
       .features = 10,
       .density = 0.5,
       .grades = 0,
       .noise = 1.5,
       .correlation = 0,
       .truth = Truth::rbf,
       .seed = 123456789},
      {.queries = 12,
       .features = 7,
       .grades = 40,
       .irrelevant = 0,
       .correlation = 1,
       .query_effect = 0},
  };
}

// The promise of the same bytes on every machine: these hashes were found with GCC and Clang, with
// and without optimisation, and must never change.
TEST(WriteSynthetic, writes_the_same_bytes_everywhere) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> known{
      {8159051781609828823u, 11653231118283924760u},
      {6733993723235236530u, 5161558288459937421u},
      {17087279013233073930u, 8862072132703394618u},
      {16112947216450343352u, 6029420267324320629u},
      {16542629396913524658u, 4719249023499817664u}};
  const auto all = kinds();
  ASSERT_EQ(known.size(), all.size());
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    const Written text = written(all[kind]);
    EXPECT_EQ(hash_of(text.data), known[kind].first) << "data of kind " << kind;
    EXPECT_EQ(hash_of(text.true_scores), known[kind].second) << "true scores of kind " << kind;
  }
}

TEST(WriteSynthetic, writes_the_same_bytes_with_any_number_of_threads) {
  // Wide rows, so that there are many blocks.
  const SynthOptions options{
      .queries = 60, .documents = 40, .lengths = LengthDistribution::geometric, .features = 250};
  const Written one = written(options, 1);
  EXPECT_GT(one.data.size(), 5'000'000u);
  for (const int threads : {2, 5}) {
    const Written many = written(options, threads);
    EXPECT_TRUE(many.data == one.data);
    EXPECT_TRUE(many.true_scores == one.true_scores);
  }
}

TEST(WriteSynthetic, counts_what_it_wrote) {
  const TemporaryFolder folder;
  for (const SynthOptions& options : kinds()) {
    const SynthSummary made = write_synthetic(folder.path("data.txt"), options);
    const std::string text = folder.content("data.txt");
    EXPECT_EQ(made.queries, options.queries);
    EXPECT_EQ(made.features, options.features);
    EXPECT_EQ(made.bytes, static_cast<std::int64_t>(text.size()));
    EXPECT_EQ(made.documents, std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(made.non_zeros,
              std::count(text.begin(), text.end(), ':') - made.documents);  // less those of qid:
    EXPECT_EQ(made.grade_counts.size(), static_cast<std::size_t>(options.grades));
    if (options.grades > 0) {
      EXPECT_EQ(
          std::accumulate(made.grade_counts.begin(), made.grade_counts.end(), std::int64_t{0}),
          made.documents);
    }
  }
}

TEST(WriteSynthetic, compresses_by_name) {
  const TemporaryFolder folder;
  const SynthOptions options{.queries = 10};
  write_synthetic(folder.path("data.txt"), options);
  for (const char* name : {"data.txt.gz", "data.txt.zst"}) {
    write_synthetic(folder.path(name), options);
    EXPECT_LT(std::filesystem::file_size(folder.path(name)),
              std::filesystem::file_size(folder.path("data.txt")));
    const Dataset data = read_letor(folder.path(name));
    EXPECT_EQ(data.num_documents(), 400);
  }
}

TEST(WriteSynthetic, reports_progress_up_to_the_number_of_rows) {
  const TemporaryFolder folder;
  std::int64_t done = 0;
  write_synthetic(folder.path("data.txt"), {.queries = 50, .features = 100}, "", 2,
                  [&](const ProgressEvent& event) {
                    EXPECT_GE(event.done, done);
                    EXPECT_EQ(event.total, 2000);
                    done = event.done;
                    return true;
                  });
  EXPECT_EQ(done, 2000);
}

TEST(WriteSynthetic, leaves_nothing_behind_when_stopped) {
  const TemporaryFolder folder;
  try {
    write_synthetic(folder.path("data.txt"), {.queries = 5}, folder.path("scores.txt"), 2,
                    [](const ProgressEvent&) { return false; });
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(folder.num_files(), 0u);
}

void expect_option_error(const SynthOptions& options, const std::string& message) {
  const TemporaryFolder folder;
  try {
    write_synthetic(folder.path("data.txt"), options);
    FAIL() << "no exception instead of " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_EQ(error.what(), message);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("data.txt")));
}

TEST(WriteSynthetic, names_the_option_that_is_out_of_range) {
  expect_option_error({.queries = 0}, "queries = 0 must be in [1, 1000000000]");
  expect_option_error({.density = 0}, "density = 0 must be in (0, 1]");
  expect_option_error({.noise = -1}, "noise = -1 must be in [0, 1e+06]");
  expect_option_error({.centres = 0}, "centres = 0 must be in [1, 100000]");
}

TEST(WriteSynthetic, refuses_one_file_for_data_and_true_scores) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_synthetic(folder.path("data.txt"), {.queries = 1}, folder.path("data.txt")),
               Error);
}

TEST(WriteSynthetic, says_why_it_cannot_write) {
  try {
    write_synthetic("/nowhere/data.txt", {.queries = 1});
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_STREQ(error.what(), "/nowhere/data.txt: cannot write: No such file or directory");
  }
}

}  // namespace
}  // namespace rankine
