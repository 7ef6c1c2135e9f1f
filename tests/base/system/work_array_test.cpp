#include "base/system/work_array.hpp"

#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(WorkArray, is_the_same_memory_for_one_piece_of_work_after_the_other) {
  const void* first = nullptr;
  {
    const WorkArray<double> numbers(1000);
    ASSERT_EQ(numbers.span().size(), 1000U);
    numbers.span()[999] = 7;
    first = numbers.span().data();
  }
  const WorkArray<std::uint32_t> others(2000);
  others.span()[1999] = 1;
  EXPECT_EQ(others.span().data(), first);
}

TEST(WorkArray, is_of_its_thread_alone) {
  const WorkArray<int> here(10);
  here.span()[0] = 1;
  std::thread([] {
    const WorkArray<int> there(10);
    there.span()[0] = 2;
  }).join();
  EXPECT_EQ(here.span()[0], 1);
}

TEST(WorkArray, may_be_large_and_small_and_empty) {
  for (const std::size_t size : {std::size_t{1} << 23, std::size_t{10}, std::size_t{0}}) {
    const WorkArray<double> numbers(size);
    for (double& number : numbers.span()) number = 1;
    EXPECT_EQ(numbers.span().size(), size);
  }
}

}  // namespace
}  // namespace rankine
