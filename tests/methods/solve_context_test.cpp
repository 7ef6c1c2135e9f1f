#include "methods/solve_context.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

namespace rankine {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TEST(SolveContext, asks_nobody_once_it_was_told_to_stop) {
  int asked = 0;
  const Progress progress = [&](const ProgressEvent&) { return ++asked < 2; };
  SolveContext context(kForever, progress);
  const StopRequest stop = context.stop_request();
  EXPECT_FALSE(stop({}));
  EXPECT_TRUE(stop({}));
  EXPECT_TRUE(stop({}));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(context.stopped_by(), Termination::interrupted);
  EXPECT_EQ(context.reason(Termination::interrupted), Termination::interrupted);
  EXPECT_EQ(context.reason(Termination::converged), Termination::converged);
}

TEST(SolveContext, tells_the_time_limit_from_an_interruption) {
  const Progress nobody;
  SolveContext context(0, nobody);
  EXPECT_TRUE(context.stop_request()({}));
  EXPECT_EQ(context.reason(Termination::interrupted), Termination::time_limit);
}

TEST(SolveContext, ends_the_loops_of_preparation_by_the_time_limit_but_not_those_of_solving) {
  double seconds = 0;
  const Progress nobody;
  SolveContext late(0, nobody);
  const auto work = [] {  // longer than a scope waits before it asks
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    check_interruption();
  };
  EXPECT_NO_THROW(late.solving(seconds, work));
  EXPECT_THROW(late.preparing(seconds, work), Interrupted);
  EXPECT_GE(seconds, 0);
}

}  // namespace
}  // namespace rankine
