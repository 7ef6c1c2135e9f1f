// The points of a grid over training options, and how they are trained: settings that differ in
// the option of a path alone (C) form a group, and come from one training.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rankine/train.hpp>
#include <rankine/tune.hpp>

namespace rankine {

/// Settings trained together: one, or all of a path with its values rising.
struct SettingBatch {
  std::vector<std::size_t> settings;
  std::vector<double> path;  // values of the path option, one per setting; empty: train() one
};

class SettingGrid {
 public:
  /// Throws Error{option} when there is no grid, two have one name, or a value is not allowed.
  SettingGrid(const TrainOptions& base, std::vector<Grid> grids);

  std::size_t size() const { return size_; }
  const std::vector<Grid>& grids() const { return grids_; }
  /// One value for each grid; the last grid varies fastest.
  std::vector<std::string> values(std::size_t setting) const;
  TrainOptions options(std::size_t setting) const;
  /// "C = 0.5, gamma = 1".
  std::string text(std::size_t setting) const;

  /// Groups in the order of their first setting; each is a list of batches.
  const std::vector<std::vector<SettingBatch>>& groups() const { return groups_; }

  /// Whether setting a is taken before b where both are equally good.
  bool goes_before(std::size_t a, std::size_t b) const;

 private:
  void check() const;
  void make_groups();
  std::string value(std::size_t setting, std::size_t grid) const;

  TrainOptions base_;
  std::vector<Grid> grids_;
  std::size_t size_ = 1;
  std::size_t regulariser_;  // the grid over C or alpha; grids_.size() when there is none
  std::vector<std::vector<SettingBatch>> groups_;
};

}  // namespace rankine
