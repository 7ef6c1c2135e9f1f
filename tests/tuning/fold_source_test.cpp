#include "tuning/fold_source.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(11);
  return oracles::random_dataset(random, {.queries = 23, .features = 3});
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::map<std::string, std::int64_t> query_sizes(const Dataset& data) {
  std::map<std::string, std::int64_t> sizes;
  for (std::size_t q = 0; q < static_cast<std::size_t>(data.num_queries()); ++q) {
    sizes[std::string(data.query_ids[q])] = data.query_offsets[q + 1] - data.query_offsets[q];
  }
  return sizes;
}

TEST(QueryFoldSource, never_cuts_a_query_and_holds_each_out_once) {
  const Dataset data = some_data();
  const auto source = query_fold_source(data, 4, 1);
  const auto whole = query_sizes(data);
  std::multiset<std::string> held_out;
  for (int fold = 0; fold < source->num_folds(); ++fold) {
    const FoldData parts = source->load(fold, {});
    auto together = query_sizes(parts.train);
    for (const auto& [id, size] : query_sizes(parts.vali)) {
      EXPECT_TRUE(together.emplace(id, size).second) << id << " is on both sides";
      held_out.insert(id);
    }
    EXPECT_EQ(together, whole);
  }
  EXPECT_EQ(held_out.size(), whole.size());
  EXPECT_EQ(source->whole(), &data);
}

TEST(QueryFoldSource, refuses_more_folds_than_queries) {
  const Dataset data = some_data();
  EXPECT_EQ(message_of([&] { query_fold_source(data, 24, 1); }),
            "folds = 24 must be at most the number of queries, 23");
}

TEST(ValidationSource, is_one_fold_of_the_two_sets) {
  const Dataset data = some_data();
  const auto source = validation_source(data, data);
  EXPECT_EQ(source->num_folds(), 1);
  EXPECT_EQ(source->load(0, {}).vali.num_documents(), data.num_documents());
}

TEST(LetorFoldSource, reads_folds_of_any_format) {
  const TemporaryFolder folder;
  const Dataset data = some_data();
  for (const auto format : {DataFormat::letor, DataFormat::cache}) {
    const std::string directory = folder.path(std::string(name_of(format)));
    write_folds(directory, data, {.folds = 3}, format);
    const auto source = letor_fold_source(directory, {});
    ASSERT_EQ(source->num_folds(), 3);
    EXPECT_EQ(source->whole(), nullptr);
    const FoldData fold = source->load(2, {});
    EXPECT_EQ(fold.train.num_queries() + fold.vali.num_queries() + fold.test.num_queries(), 23);
  }
}

TEST(LetorFoldSource, names_what_is_missing) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { letor_fold_source(folder.path("none"), {}); }),
            folder.path("none") +
                ": no folder Fold1: LETOR folds are Fold1, Fold2, ... each with "
                "train, vali and test");
  write_folds(folder.path("some"), some_data(), {.folds = 3});
  std::filesystem::remove(folder.path("some/Fold2/vali.txt"));
  EXPECT_EQ(message_of([&] { letor_fold_source(folder.path("some"), {}); }),
            folder.path("some/Fold2/vali.txt") + " is missing: a fold has train, vali and test");
}

}  // namespace
}  // namespace rankine
