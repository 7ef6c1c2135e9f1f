// Where the folds of a tuning come from: K parts of one data set, a validation set, or the folders
// of LETOR. Folds are loaded when they are needed, so that large sets need not all be in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

namespace rankine {

struct FoldData {
  Dataset train;
  Dataset vali;
  Dataset test;  // without documents where there is none
};

class FoldSource {
 public:
  virtual ~FoldSource() = default;
  virtual int num_folds() const = 0;
  virtual FoldData load(int fold, const Progress& progress) const = 0;
  /// What the model of the best setting is fitted on; null where each fold has a setting, a model
  /// and a test of its own.
  virtual const Dataset* whole() const = 0;
  /// "5 folds by query".
  virtual std::string description() const = 0;
};

/// Parts of the queries, as query_folds has them. `data` must outlive the source.
std::unique_ptr<FoldSource> query_fold_source(const Dataset& data, int num_folds,
                                              std::uint64_t seed);
/// One fold. Both must outlive the source.
std::unique_ptr<FoldSource> validation_source(const Dataset& data, const Dataset& valid);
/// DIRECTORY/Fold1, Fold2, ... with train, vali and test in any format. Throws Error{data} when
/// the first is missing or a folder is not complete.
std::unique_ptr<FoldSource> letor_fold_source(const std::string& directory,
                                              const ReadOptions& reading);

}  // namespace rankine
