#include "base/checked_size.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

TEST(CheckedSize, does_not_wrap) {
  EXPECT_EQ(product_or_most(6, 7), 42U);
  EXPECT_EQ(product_or_most(kMost, 1), kMost);
  EXPECT_EQ(product_or_most(std::size_t{1} << 24, std::size_t{1} << 40), kMost);
  EXPECT_EQ(product_or_most(std::size_t{1} << 32, std::size_t{1} << 32), kMost);
  EXPECT_EQ(product_or_most(kMost, 0), 0U);
  EXPECT_EQ(sum_or_most(kMost, 1), kMost);
  EXPECT_EQ(sum_or_most(40, 2), 42U);
}

TEST(CheckedSize, knows_products_that_do_not_fit) {
  EXPECT_TRUE(is_product(6, 2, 3));
  EXPECT_TRUE(is_product(0, 5, 0));
  EXPECT_FALSE(is_product(0, std::int64_t{1} << 32, std::int64_t{1} << 32));
  EXPECT_FALSE(is_product(6, -2, -3));
}

TEST(CheckedSize, refuses_what_no_machine_has_before_it_is_asked_for) {
  EXPECT_NO_THROW(require_memory(1 << 20, "m.rkn", "the model"));
  for (const std::size_t bytes : {kMost, std::size_t{1} << 52}) {
    try {
      require_memory(bytes, "m.rkn", "the model");
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_EQ(std::string(error.what()).find("m.rkn: the model would take "), 0U) << error.what();
    }
  }
}

}  // namespace
}  // namespace rankine
