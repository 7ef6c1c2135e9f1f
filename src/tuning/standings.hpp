// Which settings are best so far, by their values on validation data.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rankine/tune.hpp>

#include "tuning/setting_grid.hpp"

namespace rankine {

double mean_of(std::span<const double> values);
/// Standard deviation with n - 1; 0 for fewer than two values.
double deviation_of(std::span<const double> values);

using Folds = std::span<const std::size_t>;

/// The setting with the largest mean over `folds`; of equals the one that goes first in the grid.
/// Requires: at least one setting.
std::size_t best_setting(const SettingGrid& grid, std::span<const TuneSetting> results,
                         std::span<const std::size_t> settings, Folds folds);

/// Settings that were trained on all queries of each of `folds`.
std::vector<std::size_t> complete_settings(std::span<const TuneSetting> results, Folds folds);

/// Of `groups` (numbers in grid.groups()) the better 1 / factor, rounded up, by the mean over
/// `folds` of their best setting.
std::vector<std::size_t> better_groups(const SettingGrid& grid,
                                       std::span<const TuneSetting> results,
                                       std::span<const std::size_t> groups, Folds folds,
                                       std::size_t factor);

}  // namespace rankine
