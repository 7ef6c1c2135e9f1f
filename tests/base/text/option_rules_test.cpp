#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_map.hpp>
#include <rankine/fields.hpp>

namespace rankine {
namespace {

std::string refusal(FeatureMapOptions options) {
  try {
    check_requirements(option_group("", options));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(OptionRules, say_which_values_of_another_option_give_an_option_its_effect) {
  const OptionRule rule{"gamma", "kernel", "rbf,laplacian"};
  EXPECT_TRUE(has_effect(rule, "laplacian"));
  EXPECT_FALSE(has_effect(rule, "linear"));
  EXPECT_FALSE(has_effect(rule, "rb"));
}

TEST(OptionRules, refuse_combinations_that_mean_nothing) {
  EXPECT_EQ(refusal({}), "none");
  EXPECT_EQ(refusal({.approximation = Approximation::fourier}),
            "approximation = 'fourier' is for kernel = rbf or laplacian, not linear");
  EXPECT_EQ(refusal({.kernel = Kernel::rbf, .approximation = Approximation::relu}),
            "approximation = 'relu' is for kernel = linear, not rbf");
  EXPECT_EQ(refusal({.kernel = Kernel::laplacian, .fourier = Fourier::orthogonal}), "none");
  EXPECT_EQ(refusal({.kernel = Kernel::laplacian,
                     .approximation = Approximation::fourier,
                     .fourier = Fourier::orthogonal}),
            "fourier = 'orthogonal' is for kernel = rbf, not laplacian");
}

TEST(OptionRules, of_every_table_name_options_that_exist) {
  FeatureMapOptions map;
  const OptionGroup group = option_group("", map);
  const auto exists = [&](std::string_view name) {
    for (const OptionEntry& entry : group.entries) {
      if (entry.name == name) return true;
    }
    return false;
  };
  for (const OptionRule& rule : group.rules) {
    EXPECT_TRUE(exists(rule.option) && exists(rule.governor)) << rule.option;
  }
  for (const OptionRequirement& each : group.requirements) {
    EXPECT_TRUE(exists(each.option) && exists(each.governor)) << each.option;
  }
}

}  // namespace
}  // namespace rankine
