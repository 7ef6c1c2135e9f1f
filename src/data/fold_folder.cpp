// The order is what makes it safe: all new files are written first, then the mark is set, all old
// files are removed, all new ones are moved in, and the mark is removed. Wherever that ends, there
// are old files alone or new ones alone.
#include "data/fold_folder.hpp"

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include <rankine/error.hpp>

namespace rankine {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kParts{"train", "vali", "test"};
// Files that belong to a part: side files and folds of other formats are read with it or before it.
constexpr std::array<const char*, 3> kSideEndings{"", ".weight", ".preferences"};
constexpr std::array<const char*, 8> kEndings{".txt",    ".csv",     ".rkd",    ".tsv",
                                              ".txt.gz", ".txt.zst", ".csv.gz", ".csv.zst"};

[[noreturn]] void fail(const fs::path& path, const std::string& what,
                       const std::error_code& failure) {
  throw Error(ErrorKind::io, path.string() + ": " + what + ": " + failure.message());
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) fail(folder, "cannot make the folder", failure);
}

void remove_file(const fs::path& path) {
  std::error_code failure;
  fs::remove(path, failure);
  if (failure) fail(path, "cannot remove", failure);
}

}  // namespace

FoldFolder::FoldFolder(const std::string& directory, std::size_t num_folds, std::string ending)
    : directory_(directory),
      made_(directory_ / ".folds.tmp"),
      num_folds_(num_folds),
      ending_(std::move(ending)) {
  make_folder(directory_);
  check_others();
  std::error_code failure;
  fs::remove_all(made_, failure);  // of a run that was killed
  for (std::size_t fold = 0; fold < num_folds_; ++fold) make_folder(fold_of(made_, fold));
}

FoldFolder::~FoldFolder() {
  std::error_code ignored;
  fs::remove_all(made_, ignored);
}

fs::path FoldFolder::fold_of(const fs::path& folder, std::size_t fold) const {
  return folder / ("Fold" + std::to_string(fold + 1));
}

std::string FoldFolder::new_path(std::size_t fold, const std::string& part) const {
  return (fold_of(made_, fold) / (part + ending_)).string();
}

/// What would stay beside the new folds and be read with them.
void FoldFolder::check_others() const {
  const auto refuse = [](const fs::path& path) {
    throw Error(ErrorKind::io, path.string() +
                                   ": is of other folds, and would be taken for one of the new: "
                                   "remove it, or write to another folder");
  };
  if (const auto next = fold_of(directory_, num_folds_); fs::exists(next)) refuse(next);
  for (std::size_t fold = 0; fold < num_folds_; ++fold) {
    for (const char* part : kParts) {
      for (const std::string ending : kEndings) {
        const auto path = fold_of(directory_, fold) / (part + ending);
        if (ending != ending_ && fs::exists(path)) refuse(path);
      }
    }
  }
}

void FoldFolder::remove_old() const {
  for (std::size_t fold = 0; fold < num_folds_; ++fold) {
    for (const char* part : kParts) {
      for (const char* side : kSideEndings) {
        remove_file(fold_of(directory_, fold) / (part + ending_ + side));
      }
    }
  }
}

void FoldFolder::commit() {
  const auto mark = directory_ / kIncompleteFolds;
  if (!(std::ofstream(mark) << "Writing these folds was interrupted: write them again.\n")) {
    throw Error(ErrorKind::io, mark.string() + ": cannot write");
  }
  remove_old();
  for (std::size_t fold = 0; fold < num_folds_; ++fold) {
    make_folder(fold_of(directory_, fold));
    for (const auto& file : fs::directory_iterator(fold_of(made_, fold))) {
      std::error_code failure;
      const auto target = fold_of(directory_, fold) / file.path().filename();
      fs::rename(file.path(), target, failure);
      if (failure) fail(target, "cannot write", failure);
    }
  }
  remove_file(mark);
}

void check_folds_complete(const std::string& directory) {
  std::error_code ignored;
  if (!fs::exists(fs::path(directory) / kIncompleteFolds, ignored)) return;
  throw Error(ErrorKind::data, directory + ": writing its folds was interrupted (" +
                                   kIncompleteFolds + " says so): write them again");
}

}  // namespace rankine
