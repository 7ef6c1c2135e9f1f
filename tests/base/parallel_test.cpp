#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/system/process_memory.hpp"

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

TEST(ParallelFor, leaves_no_memory_behind) {
  const auto loops = [](int count) {
    for (int loop = 0; loop < count; ++loop) parallel_for(4, 2, [](std::int64_t) {});
  };
  loops(500);
  const std::int64_t before = peak_memory_bytes();
  loops(3000);
  EXPECT_LT(peak_memory_bytes() - before, 4 << 20);
}

TEST(ParallelFor, does_nothing_for_no_indices) {
  parallel_for(0, 2, [](std::int64_t) { FAIL(); });
}

TEST(NumWorkerThreads, zero_means_at_least_one) {
  EXPECT_GE(num_worker_threads(0), 1);
}

TEST(ParallelPipelineTest, consumes_in_order_what_was_produced_whatever_the_threads) {
  for (const int threads : {1, 2, 7}) {
    std::vector<int> slots(5);
    std::vector<int> consumed;
    int next = 0;
    parallel_pipeline(
        threads, slots.size(),
        [&](std::size_t slot) {
          slots[slot] = next;
          return next++ < 1000;
        },
        [&](std::size_t slot) { slots[slot] *= 3; },
        [&](std::size_t slot) { consumed.push_back(slots[slot]); });
    ASSERT_EQ(consumed.size(), 1000U);
    for (int item = 0; item < 1000; ++item) {
      ASSERT_EQ(consumed[static_cast<std::size_t>(item)], 3 * item);
    }
  }
}

TEST(ParallelPipelineTest, throws_the_failure_of_the_first_item_after_consuming_those_before) {
  for (const int threads : {1, 2, 7}) {
    for (const std::string stage : {"produce", "work", "consume"}) {
      std::vector<int> slots(4);
      int next = 0;
      int consumed = 0;
      const auto fail = [&](const char* here, int item) {
        if (stage == here && item >= 57) throw std::runtime_error(std::to_string(item));
      };
      try {
        parallel_pipeline(
            threads, slots.size(),
            [&](std::size_t slot) {
              slots[slot] = next++;
              fail("produce", slots[slot]);
              return next < 1000;
            },
            [&](std::size_t slot) { fail("work", slots[slot]); },
            [&](std::size_t slot) {
              fail("consume", slots[slot]);
              ++consumed;
            });
        ADD_FAILURE() << "nothing thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "57");
      }
      EXPECT_EQ(consumed, 57);
    }
  }
}

TEST(ParallelFor, leaves_thread_local_scratch_of_a_body_alone_while_it_waits_for_a_nested_loop) {
  thread_local std::int64_t scratch = -1;
  thread_local int depth = 0;
  for (const int threads : {2, 4, 8}) {
    std::atomic<int> num_overwritten{0};
    std::atomic<int> num_inside{0};
    parallel_for(200, threads, [&](std::int64_t outer) {
      if (depth++ > 0) ++num_inside;
      scratch = outer;
      // Uneven, so that threads run out of work here and would look for some elsewhere.
      parallel_for(1 + outer % 7, threads, [&](std::int64_t inner) {
        volatile double work = 0;
        for (std::int64_t k = 0; k < 2000 * (inner + 1); ++k) work = work + 1;
      });
      if (scratch != outer) ++num_overwritten;
      --depth;
    });
    EXPECT_EQ(num_overwritten, 0);
    EXPECT_EQ(num_inside, 0);
  }
}

}  // namespace
}  // namespace rankine
