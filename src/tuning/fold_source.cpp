// A LETOR fold may be text, CSV or a cache: of each part, the first file found counts.
#include "tuning/fold_source.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

#include "data/fold_folder.hpp"

namespace rankine {
namespace {

class QueryFolds : public FoldSource {
 public:
  QueryFolds(const Dataset& data, int num_folds, std::uint64_t seed)
      : data_(data), parts_(query_folds(data, {.folds = num_folds, .seed = seed})) {}

  int num_folds() const override { return static_cast<int>(parts_.size()); }

  FoldData load(int fold, const Progress&) const override {
    const auto& held_out = parts_[static_cast<std::size_t>(fold)];
    std::vector<std::int64_t> others;
    for (const auto& part : parts_) {
      if (&part != &held_out) others.insert(others.end(), part.begin(), part.end());
    }
    return {select_queries(data_, others), select_queries(data_, held_out), {}};
  }

  const Dataset* whole() const override { return &data_; }
  std::string description() const override {
    return std::to_string(num_folds()) + " folds by query";
  }

 private:
  const Dataset& data_;
  std::vector<std::vector<std::int64_t>> parts_;
};

class Validation : public FoldSource {
 public:
  Validation(const Dataset& data, const Dataset& valid) : data_(data), valid_(valid) {}

  int num_folds() const override { return 1; }
  FoldData load(int, const Progress&) const override { return {data_, valid_, {}}; }
  const Dataset* whole() const override { return &data_; }
  std::string description() const override { return "a validation set"; }

 private:
  const Dataset& data_;
  const Dataset& valid_;
};

class LetorFolds : public FoldSource {
 public:
  LetorFolds(const std::string& directory, const ReadOptions& reading) : reading_(reading) {
    check_folds_complete(directory);
    for (int fold = 1;; ++fold) {
      const auto folder = std::filesystem::path(directory) / ("Fold" + std::to_string(fold));
      if (!std::filesystem::is_directory(folder)) break;
      files_.push_back(
          {file_of(folder, "train"), file_of(folder, "vali"), file_of(folder, "test")});
    }
    if (files_.empty()) {
      throw Error(ErrorKind::data, directory +
                                       ": no folder Fold1: LETOR folds are Fold1, Fold2, "
                                       "... each with train, vali and test");
    }
  }

  int num_folds() const override { return static_cast<int>(files_.size()); }

  FoldData load(int fold, const Progress& progress) const override {
    const auto& [train, vali, test] = files_[static_cast<std::size_t>(fold)];
    return {read_dataset(train, reading_, progress), read_dataset(vali, reading_, progress),
            read_dataset(test, reading_, progress)};
  }

  const Dataset* whole() const override { return nullptr; }
  std::string description() const override { return std::to_string(num_folds()) + " LETOR folds"; }

 private:
  static std::string file_of(const std::filesystem::path& folder, const std::string& part) {
    constexpr std::array<std::string_view, 8> kEndings{".rkd",     ".txt",    ".csv",     ".txt.gz",
                                                       ".txt.zst", ".csv.gz", ".csv.zst", ".tsv"};
    for (const std::string_view ending : kEndings) {
      const auto path = folder / (part + std::string(ending));
      if (std::filesystem::exists(path)) return path.string();
    }
    throw Error(ErrorKind::data,
                (folder / part).string() + ".txt is missing: a fold has train, vali and test");
  }

  ReadOptions reading_;
  std::vector<std::array<std::string, 3>> files_;
};

}  // namespace

std::unique_ptr<FoldSource> query_fold_source(const Dataset& data, int num_folds,
                                              std::uint64_t seed) {
  return std::make_unique<QueryFolds>(data, num_folds, seed);
}

std::unique_ptr<FoldSource> validation_source(const Dataset& data, const Dataset& valid) {
  return std::make_unique<Validation>(data, valid);
}

std::unique_ptr<FoldSource> letor_fold_source(const std::string& directory,
                                              const ReadOptions& reading) {
  return std::make_unique<LetorFolds>(directory, reading);
}

}  // namespace rankine
