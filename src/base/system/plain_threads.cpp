// A pipeline's worker takes an item through all three stages: it makes the next one when a slot is
// free, works on it beside the others, and waits for its turn to have it consumed.
#include "base/system/plain_threads.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rankine {
namespace {

/// Runs `work` on `workers` threads, this one among them.
void run_on_threads(int workers, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  for (int worker = 1; worker < workers; ++worker) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

class Pipeline {
 public:
  Pipeline(std::size_t num_slots, const std::function<bool(std::size_t)>& produce,
           const std::function<void(std::size_t)>& work,
           const std::function<void(std::size_t)>& consume)
      : num_slots_(num_slots), produce_(produce), work_(work), consume_(consume) {}

  /// Takes items through the stages until there are no more, or one has failed.
  void run_worker() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ended_ || num_produced_ - num_consumed_ < num_slots_; });
      if (ended_) return;
      const std::size_t item = num_produced_;
      const std::size_t slot = item % num_slots_;
      std::exception_ptr failure = failure_of([&] { ended_ = !produce_(slot); });
      if (!failure && ended_) break;
      ++num_produced_;
      ended_ = failure != nullptr;
      lock.unlock();
      if (!failure) failure = failure_of([&] { work_(slot); });
      lock.lock();
      changed_.wait(lock, [&] { return failure_ || num_consumed_ == item; });
      if (failure_) return;
      if (!failure) failure = failure_of([&] { consume_(slot); });
      if (failure) {
        failure_ = failure;
        ended_ = true;
      }
      ++num_consumed_;
      changed_.notify_all();
    }
    changed_.notify_all();
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Call>
  static std::exception_ptr failure_of(const Call& call) {
    try {
      call();
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  const std::size_t num_slots_;
  const std::function<bool(std::size_t)>& produce_;
  const std::function<void(std::size_t)>& work_;
  const std::function<void(std::size_t)>& consume_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t num_produced_ = 0;
  std::size_t num_consumed_ = 0;
  bool ended_ = false;  // nothing more is produced
  std::exception_ptr failure_;
};

}  // namespace

void plain_parallel_for(std::int64_t count, int workers,
                        const std::function<void(std::int64_t)>& call) {
  std::atomic<std::int64_t> next{0};
  run_on_threads(workers, [&] {
    for (std::int64_t index = next++; index < count; index = next++) call(index);
  });
}

void plain_pipeline(int workers, std::size_t num_slots,
                    const std::function<bool(std::size_t)>& produce,
                    const std::function<void(std::size_t)>& work,
                    const std::function<void(std::size_t)>& consume) {
  Pipeline pipeline(num_slots, produce, work, consume);
  run_on_threads(workers, [&] { pipeline.run_worker(); });
  pipeline.rethrow_failure();
}

}  // namespace rankine
