#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

#include "data/random_dataset.hpp"
#include "oracles/slow_text_reader.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

using Parts = std::vector<std::vector<std::int64_t>>;

Dataset queries_named(const std::vector<std::string>& ids) {
  ParsedRows rows;
  rows.grades = std::vector<double>(ids.size(), 1);
  rows.features = DenseMatrix{static_cast<std::int64_t>(ids.size()), 0, {}};
  for (std::uint32_t query = 0; query < ids.size(); ++query) rows.query_of_row.push_back(query);
  rows.query_ids = StringList::of(ids);
  return build_dataset("named", std::move(rows));
}

std::vector<std::string> numbered_ids(int count) {
  std::vector<std::string> ids;
  for (int id = 0; id < count; ++id) ids.push_back("q" + std::to_string(id));
  return ids;
}

std::map<std::string, std::size_t> fold_by_id(const Dataset& data, const FoldOptions& options) {
  std::map<std::string, std::size_t> folds;
  const Parts parts = query_folds(data, options);
  for (std::size_t fold = 0; fold < parts.size(); ++fold) {
    for (const auto query : parts[fold]) {
      folds.emplace(data.query_ids[static_cast<std::size_t>(query)], fold);
    }
  }
  return folds;
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

TEST(QueryFoldsTest, put_every_query_in_one_part_of_nearly_equal_size) {
  for (const FoldBy fold_by : {FoldBy::hash, FoldBy::position}) {
    for (const int num_queries : {5, 6, 23, 100}) {
      const Dataset data = queries_named(numbered_ids(num_queries));
      const Parts parts = query_folds(data, {.folds = 5, .fold_by = fold_by, .seed = 3});
      ASSERT_EQ(parts.size(), 5U);
      std::set<std::int64_t> all;
      for (const auto& part : parts) {
        EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
        EXPECT_GE(part.size(), static_cast<std::size_t>(num_queries / 5));
        EXPECT_LE(part.size(), static_cast<std::size_t>((num_queries + 4) / 5));
        all.insert(part.begin(), part.end());
      }
      EXPECT_EQ(all.size(), static_cast<std::size_t>(num_queries));
      EXPECT_EQ(*all.rbegin(), num_queries - 1);
    }
  }
}

TEST(QueryFoldsTest, by_hash_do_not_depend_on_the_order_of_queries) {
  std::vector<std::string> ids = numbered_ids(50);
  const auto before = fold_by_id(queries_named(ids), {.seed = 1});
  std::reverse(ids.begin(), ids.end());
  std::swap(ids[3], ids[31]);
  EXPECT_EQ(fold_by_id(queries_named(ids), {.seed = 1}), before);
  EXPECT_NE(fold_by_id(queries_named(ids), {.seed = 2}), before);
}

TEST(QueryFoldsTest, by_hash_move_few_queries_when_some_are_added) {
  const auto before = fold_by_id(queries_named(numbered_ids(1000)), {});
  const auto after = fold_by_id(queries_named(numbered_ids(1010)), {});
  int moved = 0;
  for (const auto& [id, fold] : before) moved += after.at(id) != fold ? 1 : 0;
  EXPECT_LE(moved, 4 * 10);
}

// These assignments are what users' folds are made of: they may never change.
TEST(QueryFoldsTest, by_hash_are_the_same_for_ever) {
  const Parts expected{{5, 6, 7, 9}, {0, 2, 10, 11}, {1, 3, 4, 8}};
  const Parts parts = query_folds(queries_named(numbered_ids(12)), {.folds = 3, .seed = 42});
  EXPECT_EQ(parts, expected);
}

TEST(QueryFoldsTest, by_position_are_blocks) {
  const Parts expected{{0, 1, 2}, {3, 4}, {5, 6}};
  EXPECT_EQ(query_folds(queries_named(numbered_ids(7)), {.folds = 3, .fold_by = FoldBy::position}),
            expected);
}

TEST(QueryFoldsTest, rotate_as_letor_does) {
  const Parts parts{{0}, {1}, {2}, {3}, {4}};
  const auto splits = fold_splits(parts);
  ASSERT_EQ(splits.size(), 5U);
  EXPECT_EQ(splits[0].train, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(splits[0].vali, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(splits[0].test, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(splits[3].train, (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(splits[3].vali, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(splits[3].test, (std::vector<std::int64_t>{2}));
}

TEST(QueryFoldsTest, need_enough_queries_and_parts) {
  const Dataset data = queries_named(numbered_ids(4));
  EXPECT_EQ(failure([&] { query_folds(data, {.folds = 5}); }),
            "folds = 5 must be at most the number of queries, 4");
  EXPECT_EQ(failure([&] { query_folds(data, {.folds = 1}); }), "folds = 1 must be in [2, 1000000]");
  EXPECT_EQ(failure([&] { fold_splits(query_folds(data, {.folds = 2})); }),
            "folds = 2 must be at least 3 for train, vali and test");
}

TEST(QueryFoldsTest, are_written_as_letor_lays_them_out) {
  const TemporaryFolder folder;
  const Dataset data = random_dataset(8, {.num_rows = 90, .num_queries = 9, .extras = false});
  const FoldOptions options{.folds = 4, .seed = 5};
  write_folds(folder.path("new/folds"), data, options);
  const auto splits = fold_splits(query_folds(data, options));
  for (std::size_t fold = 0; fold < 4; ++fold) {
    const std::string name = "new/folds/Fold" + std::to_string(fold + 1);
    const auto part = [&](const std::string& file) {
      return read_letor_slowly(folder.content(name + "/" + file + ".txt"), false);
    };
    expect_same_rows(part("train"), select_queries(data, splits[fold].train));
    expect_same_rows(part("vali"), select_queries(data, splits[fold].vali));
    expect_same_rows(part("test"), select_queries(data, splits[fold].test));
  }
  write_folds(folder.path("caches"), data, options, DataFormat::cache);
  EXPECT_TRUE(std::filesystem::exists(folder.path("caches/Fold4/test.rkd")));
}

TEST(QueryFoldsTest, say_which_folder_cannot_be_made) {
  const TemporaryFolder folder;
  folder.write("file", "");
  try {
    write_folds(folder.path("file"), queries_named(numbered_ids(9)), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_EQ(error.what(), folder.path("file") + ": cannot make the folder: Not a directory");
  }
}

}  // namespace
}  // namespace rankine
