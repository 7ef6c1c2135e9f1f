#include "tuning/training_queue.hpp"

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr double kSmall = 1000;
constexpr double kLarge = 1e9;

std::set<int> threads_given(std::size_t count, double size) {
  const Progress none;
  TrainingQueue queue(4, none, "");
  std::set<int> given;
  std::mutex mutex;
  queue.run(count, size, "tuning", [&](std::size_t, int threads) {
    const std::lock_guard lock(mutex);
    given.insert(threads);
  });
  return given;
}

TEST(TrainingQueue, runs_each_training_once) {
  const Progress none;
  TrainingQueue queue(4, none, "");
  std::vector<std::atomic<int>> runs(50);
  queue.run(50, kSmall, "tuning", [&](std::size_t index, int) { ++runs[index]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(TrainingQueue, passes_on_the_best_measure_so_far) {
  std::vector<double> seen;
  const Progress watch = [&](const ProgressEvent& event) {
    seen.push_back(event.measure);
    return true;
  };
  TrainingQueue queue(1, watch, "");
  queue.run(2, kSmall, "tuning", [&](std::size_t index, int) {
    queue.tell_measure(0.5 + 0.25 * static_cast<double>(index));
  });
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_TRUE(std::isnan(seen[0]));
  EXPECT_EQ(seen[1], 0.5);
  EXPECT_EQ(seen[2], 0.75);
}

TEST(TrainingQueue, gives_a_thread_to_each_of_many_small_trainings) {
  EXPECT_EQ(threads_given(8, kSmall), std::set<int>{1});
}

TEST(TrainingQueue, gives_all_threads_to_large_trainings_and_to_few) {
  EXPECT_EQ(threads_given(8, kLarge), std::set<int>{4});
  EXPECT_EQ(threads_given(3, kSmall), std::set<int>{4});
}

TEST(TrainingQueue, says_how_many_are_at_work_at_a_time) {
  const Progress none;
  const TrainingQueue queue(4, none, "");
  EXPECT_EQ(queue.num_side_by_side(8, kSmall), 4);
  EXPECT_EQ(queue.num_side_by_side(8, kLarge), 1);
  EXPECT_EQ(queue.num_side_by_side(3, kSmall), 1);
}

TEST(TrainingQueue, stops_everything_once_the_caller_said_so) {
  std::atomic<int> asked{0};
  const Progress stop = [&](const ProgressEvent&) { return ++asked < 5; };
  TrainingQueue queue(4, stop, "stopped, as asked");
  std::atomic<int> ran{0};
  try {
    queue.run(100, kSmall, "tuning", [&](std::size_t, int) {
      ++ran;
      if (!queue.question()({})) queue.throw_interrupted();
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    EXPECT_EQ(std::string(error.what()), "stopped, as asked");
  }
  EXPECT_LT(ran, 10);
  EXPECT_EQ(asked, 5);  // it is not asked again
}

TEST(TrainingQueue, tells_how_many_are_done) {
  std::vector<std::int64_t> done;
  const Progress watch = [&](const ProgressEvent& event) {
    EXPECT_EQ(event.total, 3);
    EXPECT_EQ(event.stage, "testing");
    done.push_back(event.done);
    return true;
  };
  TrainingQueue queue(1, watch, "");
  queue.run(3, kSmall, "testing", [](std::size_t, int) {});
  EXPECT_EQ(done, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace rankine
