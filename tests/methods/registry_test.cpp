#include "methods/registry.hpp"

#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/options.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

TEST(MethodRegistry, has_the_default_first_and_every_name_once) {
  const auto names = method_names();
  ASSERT_GE(names.size(), 3U);
  EXPECT_EQ(names.front(), "svm");
  EXPECT_EQ(MethodOptions().name(), "svm");
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) EXPECT_NE(names[k], names[other]);
    EXPECT_FALSE(method_help(names[k]).empty());
    EXPECT_EQ(MethodOptions::named(names[k]).name(), names[k]);
    EXPECT_NE(make_method(MethodOptions::named(names[k])), nullptr);
  }
}

TEST(MethodRegistry, names_what_there_is_when_asked_for_what_is_not) {
  try {
    MethodOptions::named("svn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean svm?"), std::string::npos);
  }
}

TEST(MethodOptionsTest, are_values) {
  MethodOptions a = SvmOptions{.C = 2};
  const MethodOptions b = a;
  a.as<SvmOptions>().C = 3;
  EXPECT_EQ(b.as<SvmOptions>().C, Candidates(2));
  EXPECT_EQ(a.as<SvmOptions>().C, Candidates(3));
  EXPECT_EQ(a.get_if<RlsOptions>(), nullptr);
  EXPECT_THROW(a.as<RlsOptions>(), Error);
  EXPECT_EQ(a.path_option(), "C");
  EXPECT_EQ(MethodOptions(StochasticOptions{}).path(), nullptr);
}

TEST(MethodOptionsTest, check_the_ranges_of_every_part) {
  SvmOptions options;
  options.newton.max_iterations = 0;
  EXPECT_THROW(MethodOptions(options).validate(), Error);
  EXPECT_THROW(MethodOptions(RlsOptions{.alpha = {1, -1}}).validate(), Error);
  EXPECT_NO_THROW(MethodOptions(RlsOptions{.alpha = {1, 2}}).validate());
}

}  // namespace
}  // namespace rankine
