#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <rankine/fields.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>

namespace rankine {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

TEST(ParseReal, reads_the_ways_users_write_numbers) {
  EXPECT_EQ(parse_real("C", "0.25"), 0.25);
  EXPECT_EQ(parse_real("C", "1e-3"), 1e-3);
  EXPECT_EQ(parse_real("C", "+4"), 4);
  EXPECT_EQ(parse_real("C", "2^-5"), 1.0 / 32);
  EXPECT_EQ(parse_real("C", "10^3"), 1000);
  EXPECT_TRUE(std::isinf(parse_real("C", "inf")));
}

TEST(ParseReal, refuses_what_is_no_number) {
  for (const char* text : {"", "abc", "1x", "2^", "^2", "2^a", "1 "}) {
    EXPECT_EQ(message_of([&] { parse_real("C", text); }),
              "C = '" + std::string(text) + "' is not a number");
  }
}

TEST(ParseInteger, takes_powers_and_exponents_that_are_whole) {
  EXPECT_EQ(parse_integer("seed", "42"), 42);
  EXPECT_EQ(parse_integer("seed", "1e6"), 1000000);
  EXPECT_EQ(parse_integer("seed", "2^20"), 1 << 20);
  EXPECT_EQ(message_of([] { parse_integer("seed", "1.5"); }), "seed = '1.5' is not a whole number");
}

TEST(RealText, reads_back_as_the_same_number) {
  for (const double value : {0.1, 1.0 / 3, 1e300, -0.0, 5e-324, 46.0}) {
    EXPECT_EQ(parse_real("x", real_text(value)), value);
  }
}

TEST(OptionEntries, assign_and_text_are_inverse_for_every_option) {
  SynthOptions options;
  for (const OptionEntry& entry : option_entries(options)) {
    EXPECT_EQ(entry.text(), entry.default_text);
    entry.assign(entry.text());
    EXPECT_EQ(entry.text(), entry.default_text) << entry.name;
  }
}

TEST(OptionEntries, name_option_value_and_bound_when_out_of_range) {
  SynthOptions options;
  const auto entries = option_entries(options);
  for (const OptionEntry& entry : entries) {
    if (entry.name == "noise") {
      EXPECT_EQ(message_of([&] { entry.assign("-1"); }), "noise = -1 must be in [0, 1e+06]");
      EXPECT_EQ(message_of([&] { entry.assign("nan"); }), "noise = nan must be in [0, 1e+06]");
    }
    if (entry.name == "density") {
      EXPECT_EQ(message_of([&] { entry.assign("0"); }), "density = 0 must be in (0, 1]");
    }
  }
  EXPECT_EQ(options.noise, SynthOptions{}.noise);
}

TEST(ParseChoice, lists_the_choices_and_suggests_the_nearest) {
  EXPECT_EQ(message_of([] { parse_choice<Storage>("storage", "denze"); }),
            "storage = 'denze' is none of auto, dense, sparse (did you mean dense?)");
}

TEST(Validate, finds_a_member_out_of_range) {
  SynthOptions options;
  options.features = 0;
  EXPECT_EQ(message_of([&] { validate(options); }), "features = 0 must be in [1, 100000000]");
}

TEST(NearestSpelling, sees_slips_of_the_finger_and_no_difference_in_case) {
  constexpr std::array<std::string_view, 4> kNames{"label", "qid", "title_bm25", "lapel"};
  EXPECT_EQ(nearest_spelling("lable", kNames), "label");
  EXPECT_EQ(nearest_spelling("title_bm2", kNames), "title_bm25");
  EXPECT_EQ(nearest_spelling("LABEL", kNames), "label");
  EXPECT_EQ(nearest_spelling("lacel", kNames), "label");
}

TEST(NearestSpelling, suggests_nothing_far_away_or_without_a_common_letter) {
  constexpr std::array<std::string_view, 2> kNames{"label", "y"};
  EXPECT_EQ(nearest_spelling("grade", kNames), "");
  EXPECT_EQ(nearest_spelling("x", kNames), "");
  EXPECT_EQ(nearest_spelling("", kNames), "");
  EXPECT_EQ(nearest_spelling("label", {}), "");
}

}  // namespace
}  // namespace rankine
