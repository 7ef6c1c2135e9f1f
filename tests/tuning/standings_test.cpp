#include "tuning/standings.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

using Numbers = std::vector<std::size_t>;

/// Two features to choose from and two values of C: settings 0 and 1 share the first feature.
const SettingGrid& some_grid() {
  static const SettingGrid grid({}, {{"features", {"1", "2", "3"}}, {"C", {"1", "2"}}});
  return grid;
}

std::vector<TuneSetting> results_of(const std::vector<std::vector<double>>& values) {
  std::vector<TuneSetting> results;
  for (const auto& by_fold : values) {
    TuneSetting setting;
    setting.validation = by_fold;
    setting.share.assign(by_fold.size(), 1.0);
    results.push_back(setting);
  }
  return results;
}

TEST(Standings, deviate_by_n_less_one) {
  const std::vector<double> values{1, 2, 6};
  EXPECT_DOUBLE_EQ(mean_of(values), 3);
  EXPECT_DOUBLE_EQ(deviation_of(values), std::sqrt(7.0));
  EXPECT_EQ(deviation_of(std::vector<double>{5}), 0);
}

TEST(Standings, the_best_has_the_largest_mean_over_the_folds_asked_for) {
  const auto results = results_of({{1, 4}, {2, 2}, {3, 1}, {0, 0}, {0, 0}, {0, 0}});
  const Numbers all{0, 1, 2, 3, 4, 5};
  EXPECT_EQ(best_setting(some_grid(), results, all, Numbers{0, 1}), 0U);
  EXPECT_EQ(best_setting(some_grid(), results, all, Numbers{0}), 2U);
  EXPECT_EQ(best_setting(some_grid(), results, Numbers{1, 3}, Numbers{1}), 1U);
}

TEST(Standings, of_equals_the_smallest_C_is_best) {
  const auto results = results_of({{0}, {7}, {7}, {7}, {7}, {7}});
  EXPECT_EQ(best_setting(some_grid(), results, Numbers{1, 2, 3, 4, 5}, Numbers{0}), 2U);
  EXPECT_EQ(best_setting(some_grid(), results, Numbers{5, 4, 3, 2, 1}, Numbers{0}), 2U);
}

TEST(Standings, a_setting_is_complete_when_every_fold_had_all_queries) {
  auto results = results_of({{1, 1}, {1, 1}});
  results[1].share[1] = 1.0 / 3;
  EXPECT_EQ(complete_settings(results, Numbers{0, 1}), Numbers{0});
  EXPECT_EQ(complete_settings(results, Numbers{0}), (Numbers{0, 1}));
}

TEST(Standings, groups_rise_by_their_best_setting) {
  const auto results = results_of({{5}, {5}, {0}, {9}, {6}, {6}});
  EXPECT_EQ(better_groups(some_grid(), results, Numbers{0, 1, 2}, Numbers{0}, 3), Numbers{1});
  EXPECT_EQ(better_groups(some_grid(), results, Numbers{0, 1, 2}, Numbers{0}, 2), (Numbers{1, 2}));
  EXPECT_EQ(better_groups(some_grid(), results, Numbers{0, 2}, Numbers{0}, 3), Numbers{2});
}

}  // namespace
}  // namespace rankine
