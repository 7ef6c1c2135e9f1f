#include "base/system/process_memory.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(PeakMemory, grows_by_what_is_touched) {
  const std::int64_t before = peak_memory_bytes();
  EXPECT_GT(before, 0);
  const std::vector<char> touched(std::size_t{256} << 20, 1);
  EXPECT_GT(peak_memory_bytes() + static_cast<std::int64_t>(touched.back()) - 1,
            std::int64_t{200} << 20);
}

}  // namespace
}  // namespace rankine
