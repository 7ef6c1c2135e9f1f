// Sums run in the order of the folds, so that ties do not depend on the order of trainings.
#include "tuning/standings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/contract.hpp"

namespace rankine {
namespace {

double mean_over(const TuneSetting& setting, Folds folds) {
  std::vector<double> values;
  for (const std::size_t fold : folds) values.push_back(setting.validation[fold]);
  return mean_of(values);
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

std::size_t best_setting(const SettingGrid& grid, std::span<const TuneSetting> results,
                         std::span<const std::size_t> settings, Folds folds) {
  RANKINE_ASSERT(!settings.empty());
  std::size_t best = settings.front();
  double most = mean_over(results[best], folds);
  for (const std::size_t setting : settings) {
    const double value = mean_over(results[setting], folds);
    if (value > most || (value == most && grid.goes_before(setting, best))) {
      best = setting;
      most = value;
    }
  }
  return best;
}

std::vector<std::size_t> complete_settings(std::span<const TuneSetting> results, Folds folds) {
  std::vector<std::size_t> settings;
  for (std::size_t setting = 0; setting < results.size(); ++setting) {
    const auto& share = results[setting].share;
    const bool complete =
        std::all_of(folds.begin(), folds.end(), [&](std::size_t fold) { return share[fold] == 1; });
    if (complete) settings.push_back(setting);
  }
  return settings;
}

std::vector<std::size_t> better_groups(const SettingGrid& grid,
                                       std::span<const TuneSetting> results,
                                       std::span<const std::size_t> groups, Folds folds,
                                       std::size_t factor) {
  struct Standing {
    std::size_t group = 0;
    std::size_t best = 0;
    double value = 0;
  };
  std::vector<Standing> standings;
  for (const std::size_t group : groups) {
    std::vector<std::size_t> members;
    for (const SettingBatch& batch : grid.groups()[group]) {
      members.insert(members.end(), batch.settings.begin(), batch.settings.end());
    }
    const std::size_t best = best_setting(grid, results, members, folds);
    standings.push_back({group, best, mean_over(results[best], folds)});
  }
  std::sort(standings.begin(), standings.end(), [&](const Standing& a, const Standing& b) {
    return a.value != b.value ? a.value > b.value : grid.goes_before(a.best, b.best);
  });
  standings.resize((standings.size() + factor - 1) / factor);
  std::vector<std::size_t> kept;
  for (const Standing& standing : standings) kept.push_back(standing.group);
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace rankine
