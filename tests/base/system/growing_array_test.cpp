#include "base/system/growing_array.hpp"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(GrowingArrayTest, keeps_its_values_as_it_grows_and_starts_new_ones_at_zero) {
  GrowingArray<std::uint64_t> array;
  for (std::size_t size = 1; size <= 3000000; size = size * 3 + 1) {
    const std::size_t had = array.size();
    array.resize(size);
    for (std::size_t index = had; index < size; ++index) {
      ASSERT_EQ(array[index], 0U);
      array[index] = index * 7;
    }
  }
  for (std::size_t index = 0; index < array.size(); ++index) ASSERT_EQ(array[index], index * 7);
}

TEST(GrowingArrayTest, becomes_an_array_that_outlives_it) {
  Array<float> values;
  {
    GrowingArray<float> growing;
    growing.resize(10000);
    growing[9999] = 5;
    growing.resize(10);
    growing[9] = 3;
    values = growing.finish();
    EXPECT_EQ(growing.size(), 0U);
    growing.resize(2);
    EXPECT_EQ(growing[1], 0);
  }
  ASSERT_EQ(values.size(), 10U);
  EXPECT_EQ(values[9], 3);
}

TEST(GrowingArrayTest, gives_large_memory_back_and_keeps_small) {
  GrowingArray<char> room;
  room.resize(1000);
  room[999] = 'a';
  room.release_large();
  EXPECT_EQ(room.size(), 1000U);
  EXPECT_EQ(room[999], 'a');
  room.resize(std::size_t{1} << 26);
  room[0] = 'b';
  room.release_large();
  EXPECT_EQ(room.size(), 0U);
  room.resize(1000);
  EXPECT_EQ(room[0], 0);
}

TEST(GrowingArrayTest, keeps_its_values_whatever_is_expected) {
  std::mt19937 random(4);
  GrowingArray<std::uint64_t> array;
  array.expect(2);
  for (std::size_t size = 1000; size < 6'000'000; size += size / 3) {
    const std::size_t had = array.size();
    array.resize(size);
    for (std::size_t index = had; index < size; ++index) array[index] = index * 5;
    array.expect(0.5 + 0.01 * static_cast<double>(random() % 300));
  }
  array.expect(0);
  array.expect(1e9);
  for (std::size_t index = 0; index < array.size(); ++index) ASSERT_EQ(array[index], index * 5);
}

TEST(GrowingArrayTest, may_be_empty) {
  GrowingArray<double> growing;
  EXPECT_TRUE(growing.finish().empty());
  growing.resize(5);
  growing.resize(0);
  EXPECT_TRUE(growing.finish().empty());
}

}  // namespace
}  // namespace rankine
