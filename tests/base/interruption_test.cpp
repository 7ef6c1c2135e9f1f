#include "base/interruption.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "base/parallel.hpp"

namespace rankine {
namespace {

void nap() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Interruption, without_a_scope_nothing_is_asked_and_nothing_thrown) {
  EXPECT_NO_THROW(check_interruption());
}

TEST(Interruption, a_loop_ends_when_the_scope_says_so_for_any_number_of_threads) {
  for (const int threads : {1, 2, 4}) {
    int questions = 0;
    const InterruptionScope scope([&] { return ++questions == 2; });
    // A million naps are a quarter of an hour: the loop does not come to its end.
    EXPECT_THROW(parallel_for(1'000'000, threads, [](std::int64_t) { nap(); }), Interrupted);
    EXPECT_EQ(questions, 2);
  }
}

TEST(Interruption, a_scope_throws_once_so_that_what_is_done_can_be_put_in_order) {
  const InterruptionScope scope([] { return true; });
  EXPECT_THROW(for (;;) check_interruption(), Interrupted);
  for (int k = 0; k < 100; ++k) {
    EXPECT_NO_THROW(check_interruption());
    nap();
  }
}

TEST(Interruption, only_the_thread_of_the_scope_is_asked_and_the_innermost_scope) {
  const auto here = std::this_thread::get_id();
  const InterruptionScope outer([] {
    ADD_FAILURE() << "the outer scope was asked";
    return true;
  });
  const InterruptionScope inner([&] {
    EXPECT_EQ(std::this_thread::get_id(), here);
    return false;
  });
  parallel_for(400, 4, [](std::int64_t) { nap(); });
}

}  // namespace
}  // namespace rankine
