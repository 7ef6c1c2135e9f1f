#include "data/fold_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

void write_parts(const FoldFolder& folder, std::size_t num_folds, const std::string& text) {
  for (std::size_t fold = 0; fold < num_folds; ++fold) {
    for (const std::string part : {"train", "vali", "test"}) {
      std::ofstream(folder.new_path(fold, part)) << text << fold << part;
    }
  }
}

void write_folds_of(const std::string& path, std::size_t num_folds, const std::string& text) {
  FoldFolder folder(path, num_folds, ".txt");
  write_parts(folder, num_folds, text);
  folder.commit();
}

TEST(FoldFolder, keeps_the_old_folds_until_it_is_committed) {
  const TemporaryFolder place;
  write_folds_of(place.path("folds"), 2, "old");
  std::ofstream(place.path("folds/Fold1/notes.md")) << "mine";
  {
    FoldFolder folder(place.path("folds"), 2, ".txt");
    write_parts(folder, 2, "new");
    EXPECT_EQ(place.content("folds/Fold2/vali.txt"), "old1vali");
  }
  EXPECT_EQ(place.content("folds/Fold2/vali.txt"), "old1vali");
  EXPECT_FALSE(fs::exists(place.path("folds/.folds.tmp")));
  write_folds_of(place.path("folds"), 2, "new");
  EXPECT_EQ(place.content("folds/Fold2/vali.txt"), "new1vali");
  EXPECT_EQ(place.content("folds/Fold1/notes.md"), "mine");
  EXPECT_FALSE(fs::exists(place.path("folds/.folds.tmp")));
  EXPECT_FALSE(fs::exists(place.path("folds/folds.incomplete")));
}

TEST(FoldFolder, removes_side_files_of_the_old_folds) {
  const TemporaryFolder place;
  write_folds_of(place.path("folds"), 2, "old");
  std::ofstream(place.path("folds/Fold1/train.txt.weight")) << "1";
  write_folds_of(place.path("folds"), 2, "new");
  EXPECT_FALSE(fs::exists(place.path("folds/Fold1/train.txt.weight")));
}

TEST(FoldFolder, refuses_what_would_be_taken_for_one_of_the_new) {
  const TemporaryFolder place;
  write_folds_of(place.path("folds"), 4, "old");
  EXPECT_THROW(FoldFolder(place.path("folds"), 3, ".txt"), Error);
  EXPECT_THROW(FoldFolder(place.path("folds"), 4, ".csv"), Error);
  EXPECT_EQ(place.content("folds/Fold4/test.txt"), "old3test");
}

TEST(FoldFolder, marks_folds_that_are_not_complete) {
  const TemporaryFolder place;
  write_folds_of(place.path("folds"), 2, "old");
  check_folds_complete(place.path("folds"));
  // As after being killed between the removal of the old files and the last new one.
  std::ofstream(place.path("folds/folds.incomplete")) << "";
  fs::remove(place.path("folds/Fold2/test.txt"));
  EXPECT_THROW(check_folds_complete(place.path("folds")), Error);
  write_folds_of(place.path("folds"), 2, "new");
  check_folds_complete(place.path("folds"));
}

TEST(FoldFolder, says_why_it_cannot_write) {
  const TemporaryFolder place;
  std::ofstream(place.path("file")) << "";
  EXPECT_THROW(FoldFolder(place.path("file"), 3, ".txt"), Error);
}

}  // namespace
}  // namespace rankine
