#include "base/system/plain_threads.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

TEST(PlainThreads, parallel_for_calls_every_index_once) {
  for (const int workers : {1, 2, 5}) {
    std::vector<std::atomic<int>> calls(300);
    plain_parallel_for(300, workers,
                       [&](std::int64_t index) { ++calls[static_cast<std::size_t>(index)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(PlainThreads, pipeline_consumes_in_order_what_was_produced) {
  for (const int workers : {1, 2, 7}) {
    std::vector<int> slots(3);
    std::vector<int> consumed;
    int next = 0;
    plain_pipeline(
        workers, slots.size(),
        [&](std::size_t slot) {
          slots[slot] = next;
          return next++ < 400;
        },
        [&](std::size_t slot) { slots[slot] *= 3; },
        [&](std::size_t slot) { consumed.push_back(slots[slot]); });
    ASSERT_EQ(consumed.size(), 400U);
    for (std::size_t item = 0; item < consumed.size(); ++item) {
      ASSERT_EQ(consumed[item], 3 * static_cast<int>(item));
    }
  }
}

TEST(PlainThreads, pipeline_throws_the_first_failure_after_consuming_the_items_before) {
  for (const int workers : {1, 2, 7}) {
    for (const std::string stage : {"produce", "work", "consume"}) {
      std::vector<int> slots(4);
      int next = 0;
      int consumed = 0;
      const auto fail = [&](const char* here, int item) {
        if (stage == here && item >= 57) throw std::runtime_error(std::to_string(item));
      };
      try {
        plain_pipeline(
            workers, slots.size(),
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

}  // namespace
}  // namespace rankine
