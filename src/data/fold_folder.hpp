// A folder of folds that is never half old and half new: test queries of one division must not be
// among the training queries of another.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace rankine {

/// While this file is in a folder of folds, they are not complete.
inline constexpr const char* kIncompleteFolds = "folds.incomplete";

/// New folds are written into a folder of their own inside `directory`, and moved to their places
/// when all are there. Ended before commit(), the folds from before are as they were. Ended during
/// it, no old fold is left beside a new one, and kIncompleteFolds says what happened.
class FoldFolder {
 public:
  /// Makes `directory` where it is missing. `ending`: of the files. Throws Error{io} where that
  /// fails, and where `directory` has more folds than will be written.
  FoldFolder(const std::string& directory, std::size_t num_folds, std::string ending);
  /// Removes what was not committed.
  ~FoldFolder();
  FoldFolder(const FoldFolder&) = delete;
  FoldFolder& operator=(const FoldFolder&) = delete;

  /// Where the file of fold `fold` (from 0) is to be written: part is "train", "vali" or "test".
  std::string new_path(std::size_t fold, const std::string& part) const;
  void commit();

 private:
  std::filesystem::path fold_of(const std::filesystem::path& folder, std::size_t fold) const;
  void check_others() const;
  void remove_old() const;

  std::filesystem::path directory_;
  std::filesystem::path made_;  // where new folds are written
  std::size_t num_folds_;
  std::string ending_;
};

/// Throws Error{data} when writing folds into `directory` was interrupted.
void check_folds_complete(const std::string& directory);

}  // namespace rankine
