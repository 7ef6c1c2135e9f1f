#include "io/row_text.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "data/random_dataset.hpp"

namespace rankine {
namespace {

std::string shortest(float value) {
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + 40, value).ptr};
}

std::string text_of(float value) {
  RowText text;
  text.add_number(value);
  return text.take();
}

TEST(RowTextTest, gives_the_shortest_text_of_every_short_decimal) {
  for (int digits = -1100000; digits <= 1100000; ++digits) {
    const auto value = static_cast<float>(digits / 1e6);
    ASSERT_EQ(text_of(value), shortest(value));
  }
  for (int whole = -120000; whole <= 120000; ++whole) {
    const auto value = static_cast<float>(whole);
    ASSERT_EQ(text_of(value), shortest(value));
  }
}

TEST(RowTextTest, gives_the_shortest_text_of_any_float) {
  std::mt19937 random(9);
  std::uniform_real_distribution<float> fraction(-1.1F, 1.1F);
  for (int round = 0; round < 1000000; ++round) {
    const float value = round % 2 == 0 ? random_float(random) : fraction(random);
    ASSERT_EQ(text_of(value), shortest(value));
  }
  for (const float value : {0.0F, -0.0F, 1.0F, 0.001F, std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::denorm_min()}) {
    EXPECT_EQ(text_of(value), shortest(value));
  }
}

TEST(RowTextTest, keeps_everything_in_order_however_long) {
  RowText text;
  std::string expected;
  for (int round = 0; round < 3000; ++round) {
    const std::string piece(static_cast<std::size_t>(round % 7 == 0 ? round * 5 : round % 50), 'x');
    text.add(piece);
    text.add(',');
    text.add_number(round);
    text.add_number(round / 7.0);
    text.add_number(static_cast<float>(round) / 8);
    std::array<char, 40> buffer{};
    expected += piece + "," + std::to_string(round);
    expected.append(buffer.data(),
                    std::to_chars(buffer.data(), buffer.data() + 40, round / 7.0).ptr);
    expected += shortest(static_cast<float>(round) / 8);
  }
  EXPECT_EQ(text.take(), expected);
  EXPECT_EQ(text.take(), "");
}

}  // namespace
}  // namespace rankine
