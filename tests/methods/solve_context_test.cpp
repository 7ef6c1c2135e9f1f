#include "methods/solve_context.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

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

TEST(SolveContext, tells_the_phase_and_the_objective_once_it_is_known) {
  std::vector<ProgressEvent> events;
  const Progress progress = [&](const ProgressEvent& event) {
    events.push_back(event);
    return true;
  };
  SolveContext context(kForever, progress);
  const StopRequest stop = context.stop_request();
  double seconds = 0;
  SolveReport report;
  context.preparing(seconds, [&] { stop(report); });
  report.iterations = 3;
  report.objective = 0.25;
  context.solving(seconds, [&] { stop(report); });
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].phase, "preparing");
  EXPECT_TRUE(std::isnan(events[0].objective));
  EXPECT_EQ(events[1].phase, "solving");
  EXPECT_EQ(events[1].done, 3);
  EXPECT_EQ(events[1].objective, 0.25);
}

TEST(SolveContext, tells_the_time_limit_from_an_interruption) {
  const Progress nobody;
  SolveContext context(0, nobody);
  EXPECT_TRUE(context.stop_request()({}));
  EXPECT_EQ(context.reason(Termination::interrupted), Termination::time_limit);
}

TEST(SolveContext, ends_the_loops_of_preparation_by_the_time_limit_but_not_those_of_solving) {
  double seconds = 0;
  SolveContext late(0, {});
  // A scope is asked 50 ms after its start at the earliest.
  const auto check_for_a_while = [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(80);
    while (std::chrono::steady_clock::now() < end) check_interruption();
  };
  EXPECT_NO_THROW(late.solving(seconds, check_for_a_while));
  EXPECT_THROW(late.preparing(seconds, check_for_a_while), Interrupted);
  EXPECT_GE(seconds, 0);
}

}  // namespace
}  // namespace rankine
