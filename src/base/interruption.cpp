// The innermost scope of a thread is a thread-local pointer, and each scope keeps the one around
// it.
#include "base/interruption.hpp"

#include <utility>

namespace rankine {
namespace {

thread_local const InterruptionScope* innermost = nullptr;

}  // namespace

InterruptionScope::InterruptionScope(std::function<bool()> wanted)
    : wanted_(std::move(wanted)),
      outer_(innermost),
      next_(std::chrono::steady_clock::now() + kBetweenQuestions) {
  innermost = this;
}

InterruptionScope::~InterruptionScope() {
  innermost = outer_;
}

void check_interruption() {
  const InterruptionScope* const scope = innermost;
  if (scope == nullptr || scope->thrown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < scope->next_) return;
  scope->next_ = now + InterruptionScope::kBetweenQuestions;
  if (!scope->wanted_()) return;
  scope->thrown_ = true;
  throw Interrupted{};
}

bool may_be_interrupted() {
  return innermost != nullptr && !innermost->thrown_;
}

}  // namespace rankine
