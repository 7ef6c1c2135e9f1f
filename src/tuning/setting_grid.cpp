// Settings are numbered in a mixed base, one digit per grid: the digits of a number are its values.
#include "tuning/setting_grid.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

constexpr std::size_t kMostSettings = 1'000'000;

[[noreturn]] void throw_grid(const std::string& why) {
  throw Error(ErrorKind::option, "grid: " + why);
}

void assign(TrainOptions& options, const Grid& grid, const std::string& value) {
  assign_train_option(options, grid.name, value);
}

}  // namespace

Grid parse_grid_option(const TrainOptions& options, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw_grid("'" + std::string(text) + "' is not NAME=VALUES, as in C=2^-12..2^6");
  }
  const std::string name(text.substr(0, equals));
  const std::string_view values = text.substr(equals + 1);
  TrainOptions scratch = options;
  if (name == "method") {
    for (const std::string& method : parse_list(values)) assign_train_option(scratch, name, method);
    return {name, parse_list(values)};
  }
  for (const OptionEntry& entry : train_option_entries(scratch)) {
    if (entry.name == name) return {name, parse_grid(entry, values)};
  }
  try {
    assign_train_option(scratch, name, "");
  } catch (const Error& error) {
    throw_grid(error.what());
  }
  return {};
}

SettingGrid::SettingGrid(const TrainOptions& base, std::vector<Grid> grids)
    : base_(base), grids_(std::move(grids)), regulariser_(grids_.size()) {
  // The method decides which other options there are, so it is set first.
  std::stable_partition(grids_.begin(), grids_.end(),
                        [](const Grid& grid) { return grid.name == "method"; });
  check();
  for (std::size_t k = 0; k < grids_.size(); ++k) {
    size_ *= grids_[k].values.size();
    if (size_ > kMostSettings) {
      throw_grid("more than " + std::to_string(kMostSettings) + " settings");
    }
    if (grids_[k].name == "C" || grids_[k].name == "alpha") regulariser_ = k;
  }
  make_groups();
}

void SettingGrid::check() const {
  if (grids_.empty()) throw_grid("there is none; give one, as in C=2^-12..2^6");
  std::vector<TrainOptions> methods{base_};
  for (std::size_t k = 0; k < grids_.size(); ++k) {
    const Grid& grid = grids_[k];
    if (grid.values.empty()) throw_grid(grid.name + " has no values");
    if (grid.name == "threads") throw_grid("threads do not change what is learned");
    for (std::size_t other = 0; other < k; ++other) {
      if (grids_[other].name == grid.name) throw_grid(grid.name + " has two grids");
    }
    if (grid.name == "method") methods.assign(grid.values.size(), base_);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      if (grid.name == "method") {
        assign(methods[m], grid, grid.values[m]);
        continue;
      }
      for (const std::string& value : grid.values) assign(methods[m], grid, value);
    }
  }
}

std::string SettingGrid::value(std::size_t setting, std::size_t grid) const {
  std::size_t rest = setting;
  for (std::size_t k = grids_.size() - 1; k > grid; --k) rest /= grids_[k].values.size();
  return grids_[grid].values[rest % grids_[grid].values.size()];
}

std::vector<std::string> SettingGrid::values(std::size_t setting) const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < grids_.size(); ++k) all.push_back(value(setting, k));
  return all;
}

TrainOptions SettingGrid::options(std::size_t setting) const {
  TrainOptions options = base_;
  for (std::size_t k = 0; k < grids_.size(); ++k) assign(options, grids_[k], value(setting, k));
  return options;
}

std::string SettingGrid::text(std::size_t setting) const {
  std::string text;
  for (std::size_t k = 0; k < grids_.size(); ++k) {
    text += (k > 0 ? ", " : "") + grids_[k].name + " = " + value(setting, k);
  }
  return text;
}

void SettingGrid::make_groups() {
  std::map<std::vector<std::string>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t setting = 0; setting < size_; ++setting) {
    std::vector<std::string> key = values(setting);
    if (regulariser_ < key.size()) key[regulariser_].clear();
    const auto [found, is_new] = numbers.try_emplace(std::move(key), members.size());
    if (is_new) members.emplace_back();
    members[found->second].push_back(setting);
  }
  for (std::vector<std::size_t>& settings : members) {
    const bool is_path =
        regulariser_ < grids_.size() &&
        options(settings.front()).method.path_option() == grids_[regulariser_].name;
    std::vector<SettingBatch> batches;
    if (is_path) {
      const auto strength = [&](std::size_t setting) {
        return parse_real(grids_[regulariser_].name, value(setting, regulariser_));
      };
      std::sort(settings.begin(), settings.end(),
                [&](std::size_t a, std::size_t b) { return strength(a) < strength(b); });
      batches.push_back({settings, {}});
      for (const std::size_t setting : settings) batches[0].path.push_back(strength(setting));
    } else {
      for (const std::size_t setting : settings) batches.push_back({{setting}, {}});
    }
    groups_.push_back(std::move(batches));
  }
}

bool SettingGrid::goes_before(std::size_t a, std::size_t b) const {
  if (regulariser_ < grids_.size()) {
    const std::string& name = grids_[regulariser_].name;
    const double of_a = parse_real(name, value(a, regulariser_));
    const double of_b = parse_real(name, value(b, regulariser_));
    if (of_a != of_b) return name == "C" ? of_a < of_b : of_a > of_b;
  }
  return a < b;
}

}  // namespace rankine
