// Work that was left alone uses code that is taken down when the process ends. So the process
// either waits for it, as it does here by default, or ends without taking anything down, as a
// program may that owns it (has_abandoned_work).
#include "base/apart.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <rankine/program.hpp>

#include "base/interruption.hpp"

namespace rankine {
namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{50};

/// What is done once, by two threads that may leave in any order.
struct Call {
  std::function<void()> work;
  std::exception_ptr failure;
  bool has_ended = false;
  bool is_abandoned = false;
};

struct Abandoned {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
};

Abandoned& abandoned() {
  static auto& calls = *new Abandoned;  // its threads may outlive main
  return calls;
}

void wait_for_abandoned() {
  std::unique_lock lock(abandoned().mutex);
  abandoned().changed.wait(lock, [] { return abandoned().count == 0; });
}

void run(const std::shared_ptr<Call>& call) {
  try {
    call->work();
  } catch (...) {
    call->failure = std::current_exception();
  }
  call->work = nullptr;  // what it owns goes before anybody is told
  {
    const std::lock_guard lock(abandoned().mutex);
    call->has_ended = true;
    if (call->is_abandoned) --abandoned().count;
  }
  abandoned().changed.notify_all();
}

/// Returns false when the call has ended after all.
bool abandon(Call& call) {
  const std::lock_guard lock(abandoned().mutex);
  if (call.has_ended) return false;
  // Registered when the work has loaded what it uses, it comes before that is taken down.
  static const int registered = std::atexit(wait_for_abandoned);
  static_cast<void>(registered);
  call.is_abandoned = true;
  ++abandoned().count;
  return true;
}

}  // namespace

void run_apart(std::function<void()> work) {
  if (!may_be_interrupted()) {
    work();
    return;
  }
  const auto call = std::make_shared<Call>();
  call->work = std::move(work);
  std::thread thread;
  try {
    thread = std::thread(run, call);
  } catch (const std::system_error&) {  // no thread is to be had: then it cannot be left
    call->work();
    return;
  }
  try {
    std::unique_lock lock(abandoned().mutex);
    while (
        !abandoned().changed.wait_for(lock, kBetweenQuestions, [&] { return call->has_ended; })) {
      lock.unlock();
      check_interruption();
      lock.lock();
    }
  } catch (...) {
    if (abandon(*call)) {
      thread.detach();
    } else {
      thread.join();
    }
    throw;
  }
  thread.join();
  if (call->failure) std::rethrow_exception(call->failure);
}

bool has_abandoned_work() {
  const std::lock_guard lock(abandoned().mutex);
  return abandoned().count > 0;
}

}  // namespace rankine
