#include "methods/solve_context.hpp"

#include <limits>

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
  SolveContext context(0, {});
  EXPECT_TRUE(context.stop_request()({}));
  EXPECT_EQ(context.reason(Termination::interrupted), Termination::time_limit);
}

TEST(SolveContext, ends_the_loops_of_preparation_by_the_time_limit_but_not_those_of_solving) {
  double seconds = 0;
  SolveContext late(0, {});
  EXPECT_NO_THROW(late.solving(seconds, [] { check_interruption(); }));
  EXPECT_THROW(late.preparing(seconds, [] { check_interruption(); }), Interrupted);
  EXPECT_GE(seconds, 0);
}

}  // namespace
}  // namespace rankine
