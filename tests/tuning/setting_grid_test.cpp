#include "tuning/setting_grid.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

using Texts = std::vector<std::string>;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

std::string message_of_grids(const std::vector<Grid>& grids) {
  return message_of([&] { SettingGrid({}, grids); });
}

TEST(ParseGridOption, reads_grids_over_numbers_choices_and_methods) {
  EXPECT_EQ(parse_grid_option({}, "C=2^0..2^2"), (Grid{"C", {"1", "2", "4"}}));
  EXPECT_EQ(parse_grid_option({}, "loss=huber,hinge"), (Grid{"loss", {"huber", "hinge"}}));
  EXPECT_EQ(parse_grid_option({}, "method=svm,sgd"), (Grid{"method", {"svm", "sgd"}}));
}

TEST(ParseGridOption, refuses_what_is_no_grid) {
  const auto message = [](const std::string& text) {
    return message_of([&] { parse_grid_option({}, text); });
  };
  EXPECT_EQ(message("C"), "grid: 'C' is not NAME=VALUES, as in C=2^-12..2^6");
  EXPECT_EQ(message("=1,2"), "grid: '=1,2' is not NAME=VALUES, as in C=2^-12..2^6");
  EXPECT_EQ(message("scalling=none"),
            "grid: 'scalling' is no option of method svm (did you mean scaling?)");
  EXPECT_EQ(message("C="), "C: the grid is empty");
  EXPECT_EQ(message("C=-1,1"), "C = -1 must be above 0");
}

TEST(SettingGrid, holds_every_combination_once_the_last_grid_fastest) {
  const SettingGrid grid({}, {{"loss", {"huber", "logistic"}}, {"C", {"4", "1", "2"}}});
  ASSERT_EQ(grid.size(), 6U);
  EXPECT_EQ(grid.values(0), (Texts{"huber", "4"}));
  EXPECT_EQ(grid.values(1), (Texts{"huber", "1"}));
  EXPECT_EQ(grid.values(5), (Texts{"logistic", "2"}));
  EXPECT_EQ(grid.text(5), "loss = logistic, C = 2");
  const TrainOptions options = grid.options(5);
  const auto& svm = options.method.as<SvmOptions>();
  EXPECT_EQ(svm.C, 2);
  EXPECT_EQ(svm.pair_loss.loss, Loss::logistic);
}

TEST(SettingGrid, trains_all_values_of_C_of_a_setting_in_one_rising_path) {
  const SettingGrid grid({}, {{"C", {"4", "1", "2"}}, {"loss", {"huber", "logistic"}}});
  ASSERT_EQ(grid.groups().size(), 2U);
  for (const auto& group : grid.groups()) {
    ASSERT_EQ(group.size(), 1U);
    EXPECT_EQ(group[0].path, (std::vector<double>{1, 2, 4}));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(parse_real("C", grid.values(group[0].settings[k])[0]), group[0].path[k]);
      EXPECT_EQ(grid.values(group[0].settings[k])[1], grid.values(group[0].settings[0])[1]);
    }
  }
}

TEST(SettingGrid, trains_each_setting_alone_where_the_method_has_no_path) {
  TrainOptions options;
  options.method = StochasticOptions{};
  const SettingGrid grid(options, {{"C", {"4", "1", "2"}}, {"epochs", {"1", "2"}}});
  ASSERT_EQ(grid.groups().size(), 2U);
  std::set<std::size_t> seen;
  for (const auto& group : grid.groups()) {
    EXPECT_EQ(group.size(), 3U);
    for (const SettingBatch& batch : group) {
      EXPECT_TRUE(batch.path.empty());
      ASSERT_EQ(batch.settings.size(), 1U);
      seen.insert(batch.settings[0]);
    }
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(SettingGrid, over_methods_sets_the_method_first) {
  const SettingGrid grid({}, {{"C", {"3"}}, {"method", {"svm", "sgd"}}});
  EXPECT_EQ(grid.text(1), "method = sgd, C = 3");
  EXPECT_EQ(grid.options(1).method.as<StochasticOptions>().C, 3);
}

TEST(SettingGrid, takes_the_smallest_C_of_equals_then_the_first) {
  const SettingGrid grid({}, {{"loss", {"huber", "logistic"}}, {"C", {"4", "1"}}});
  EXPECT_TRUE(grid.goes_before(1, 0));  // C 1 before 4
  EXPECT_TRUE(grid.goes_before(3, 0));  // whatever the loss
  EXPECT_TRUE(grid.goes_before(1, 3));  // huber stands first
  EXPECT_FALSE(grid.goes_before(3, 1));
}

TEST(SettingGrid, refuses_grids_that_cannot_be) {
  EXPECT_EQ(message_of_grids({}), "grid: there is none; give one, as in C=2^-12..2^6");
  EXPECT_EQ(message_of_grids({{"C", {}}}), "grid: C has no values");
  EXPECT_EQ(message_of_grids({{"C", {"1"}}, {"C", {"2"}}}), "grid: C has two grids");
  EXPECT_EQ(message_of_grids({{"threads", {"1"}}}), "grid: threads do not change what is learned");
  EXPECT_EQ(message_of_grids({{"C", {"0"}}}), "C = 0 must be above 0");
  EXPECT_EQ(message_of_grids({{"method", {"svm", "sgd"}}, {"epochs", {"1"}}}),
            "'epochs' is no option of method svm");
}

}  // namespace
}  // namespace rankine
