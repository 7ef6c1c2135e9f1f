#include "base/apart.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <rankine/program.hpp>

#include "base/interruption.hpp"

namespace rankine {
namespace {

using std::chrono::milliseconds;

TEST(RunApart, returns_when_the_work_has_ended) {
  const InterruptionScope scope([] { return false; });
  bool done = false;
  const auto caller = std::this_thread::get_id();
  run_apart([&] {
    EXPECT_NE(std::this_thread::get_id(), caller);
    std::this_thread::sleep_for(milliseconds(120));
    done = true;
  });
  EXPECT_TRUE(done);
}

TEST(RunApart, throws_what_the_work_throws) {
  const InterruptionScope scope([] { return false; });
  EXPECT_THROW(run_apart([] { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(RunApart, is_an_ordinary_call_where_nobody_can_interrupt) {
  const auto caller = std::this_thread::get_id();
  run_apart([&] { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(RunApart, leaves_work_that_does_not_end_when_asked_to_stop) {
  const InterruptionScope scope([] { return true; });
  const auto may_end = std::make_shared<std::atomic<bool>>(false);
  EXPECT_THROW(run_apart([may_end] {
                 while (!*may_end) std::this_thread::sleep_for(milliseconds(1));
               }),
               Interrupted);
  EXPECT_TRUE(has_abandoned_work());
  *may_end = true;
  while (has_abandoned_work()) std::this_thread::sleep_for(milliseconds(1));
}

}  // namespace
}  // namespace rankine
