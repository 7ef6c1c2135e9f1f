// Ending long work in the middle of its loops. Whoever starts the work opens an InterruptionScope
// on its thread; parallel_for, and loops that take long without it, ask the scope now and then, and
// throw Interrupted once the answer is yes. A solver that has weights already catches it and ends
// with those.
#pragma once

#include <chrono>
#include <functional>

namespace rankine {

/// Thrown at most once per scope. Not an error, and never seen outside the library.
struct Interrupted {};

class InterruptionScope {
 public:
  /// `wanted` is asked on this thread only, at most once per kBetweenQuestions, until it returns
  /// true or the scope ends. Scopes nest; the innermost is asked.
  explicit InterruptionScope(std::function<bool()> wanted);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend void check_interruption();
  friend bool may_be_interrupted();
  static constexpr std::chrono::milliseconds kBetweenQuestions{50};

  std::function<bool()> wanted_;
  const InterruptionScope* outer_;
  mutable std::chrono::steady_clock::time_point next_;
  mutable bool thrown_ = false;
};

/// Throws Interrupted once the scope of this thread was asked to stop. Costs a reading of the clock
/// inside a scope, nothing outside.
void check_interruption();

/// Whether check_interruption() may still throw on this thread.
bool may_be_interrupted();

}  // namespace rankine
