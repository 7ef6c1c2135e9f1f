#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/fields.hpp>
#include <rankine/options.hpp>

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

std::string message_of_grid(const std::string& text) {
  return message_of([&] { parse_grid("C", text); });
}

template <class Options>
std::vector<std::string> grid_of(Options& options, const std::string& name,
                                 const std::string& text) {
  for (const OptionEntry& entry : option_entries(options)) {
    if (entry.name == name) return parse_grid(entry, text);
  }
  return {};
}

using Values = std::vector<double>;

TEST(ParseGrid, reads_lists_of_numbers) {
  EXPECT_EQ(parse_grid("C", "0.1,1,10"), (Values{0.1, 1, 10}));
  EXPECT_EQ(parse_grid("C", "2^-5"), Values{1.0 / 32});
  EXPECT_EQ(parse_grid("C", "10,1"), (Values{10, 1}));
}

TEST(ParseGrid, steps_through_powers_by_their_exponent) {
  const Values values = parse_grid("C", "2^-12..2^6");
  ASSERT_EQ(values.size(), 19U);
  for (int k = 0; k < 19; ++k)
    EXPECT_EQ(values[static_cast<std::size_t>(k)], std::ldexp(1.0, k - 12));
  EXPECT_EQ(parse_grid("C", "10^0..10^2"), (Values{1, 10, 100}));
  EXPECT_EQ(parse_grid("C", "4^0.5..4^2"), (Values{2, 8}));
}

TEST(ParseGrid, spaces_a_counted_range_by_logarithms) {
  EXPECT_EQ(parse_grid("C", "0.01..10:4"), (Values{0.01, 0.1, 1, 10}));
  EXPECT_EQ(parse_grid("C", "2^-4..2^4:3"), (Values{1.0 / 16, 1, 16}));
  const Values values = parse_grid("C", "0.01..10:20");
  ASSERT_EQ(values.size(), 20U);
  for (std::size_t k = 1; k < 20; ++k) {
    EXPECT_NEAR(std::log10(values[k] / values[k - 1]), 3.0 / 19, 1e-9);
  }
}

TEST(ParseGrid, joins_parts_and_keeps_each_value_once) {
  EXPECT_EQ(parse_grid("C", "0,2^0..2^2,2,7"), (Values{0, 1, 2, 4, 7}));
}

TEST(ParseGrid, refuses_what_is_no_grid) {
  EXPECT_EQ(message_of_grid(""), "C: the grid is empty");
  EXPECT_EQ(message_of_grid("1,,2"), "C: '1,,2' has an empty place");
  EXPECT_EQ(message_of_grid("1,2,"), "C: '1,2,' has an empty place");
  EXPECT_EQ(message_of_grid("1,x"), "C = 'x' is not a number");
  EXPECT_EQ(message_of_grid("1.."), "C = '' is not a number");
  EXPECT_EQ(message_of_grid("2^6..2^-12"), "C: '2^6..2^-12' must rise from left to right");
  EXPECT_EQ(message_of_grid("1..1:5"), "C: '1..1:5' must rise from left to right");
  EXPECT_EQ(message_of_grid("1..inf:5"), "C: '1..inf:5' must be finite");
  EXPECT_EQ(message_of_grid("0..1:5"),
            "C: '0..1:5' is spaced by logarithms, so it must start above 0");
  EXPECT_EQ(message_of_grid("1..2:1"), "C: '1..2:1' needs 2 values or more after the colon");
  EXPECT_EQ(message_of_grid("1..2:1.5"), "C = '1.5' is not a whole number");
  EXPECT_EQ(message_of_grid("1..2:1e9"), "C: '1..2:1e9' has more than 10000 values");
  EXPECT_EQ(message_of_grid("1.0001^0..1.0001^20000"),
            "C: '1.0001^0..1.0001^20000' has more than 10000 values");
  for (const char* text : {"0.1..10", "2^-2..3^2", "2..2^2", "2^0..4"}) {
    EXPECT_EQ(message_of_grid(text),
              "C: '" + std::string(text) +
                  "' needs a number of values, as in 0.01..10:20, or powers of one base, as in "
                  "2^-12..2^6");
  }
}

TEST(ParseGrid, over_choices_takes_their_names) {
  PairLossOptions options;
  EXPECT_EQ(grid_of(options, "loss", "squared_hinge,huber"),
            (std::vector<std::string>{"squared_hinge", "huber"}));
  EXPECT_EQ(grid_of(options, "exact_logistic", "true,false"),
            (std::vector<std::string>{"true", "false"}));
  EXPECT_EQ(
      message_of([&] { grid_of(options, "loss", "hubert"); }),
      "loss = 'hubert' is none of squared_hinge, hinge, huber, logistic, squared (did you mean "
      "huber?)");
  EXPECT_EQ(message_of([&] { grid_of(options, "loss", ""); }), "loss: the grid is empty");
}

TEST(ParseGrid, over_numbers_checks_their_range_and_leaves_the_option_as_it_was) {
  SvmOptions svm;
  svm.C = 3;
  EXPECT_EQ(grid_of(svm, "C", "2^-1..2^1"), (std::vector<std::string>{"0.5", "1", "2"}));
  EXPECT_EQ(message_of([&] { grid_of(svm, "C", "1,0"); }), "C = 0 must be above 0");
  EXPECT_EQ(svm.C, 3);
}

TEST(ParseGrid, over_whole_numbers_rounds_logarithmic_steps_only) {
  NewtonOptions newton;
  EXPECT_EQ(grid_of(newton, "max_iterations", "1..10:4"),
            (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_EQ(message_of([&] { grid_of(newton, "max_iterations", "1,1.5"); }),
            "max_iterations = '1.5' is not a whole number");
}

}  // namespace
}  // namespace rankine
