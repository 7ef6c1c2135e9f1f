#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(ParallelFor, calls_every_index_once) {
  for (const int threads : {0, 1, 2, 5}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(1000, threads,
                 [&](std::int64_t index) { ++calls[static_cast<std::size_t>(index)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, throws_the_failure_of_the_smallest_index_for_any_number_of_threads) {
  for (const int threads : {1, 2, 4}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      try {
        parallel_for(500, threads, [](std::int64_t index) {
          if (index % 100 == 37) throw std::runtime_error(std::to_string(index));
        });
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "37");
      }
    }
  }
}

TEST(ParallelFor, does_nothing_for_no_indices) {
  parallel_for(0, 2, [](std::int64_t) { FAIL(); });
}

TEST(NumWorkerThreads, zero_means_at_least_one) {
  EXPECT_GE(num_worker_threads(0), 1);
}

}  // namespace
}  // namespace rankine
