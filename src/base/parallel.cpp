// oneTBB runs the loops. ThreadSanitizer cannot see how oneTBB's own library synchronises, because
// that is not compiled for it, and would report every loop; under it plain threads take the same
// calls, so that what it reports is ours.
#include "base/parallel.hpp"

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "base/interruption.hpp"
#include "base/system/plain_threads.hpp"

namespace rankine {

namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool kPlainThreads = true;
#else
constexpr bool kPlainThreads = false;
#endif

/// Arenas that are idle, by their number of workers. They are used again because oneTBB 2021.8
/// loses some 7 kB whenever one is destroyed.
class IdleArenas {
 public:
  std::unique_ptr<oneapi::tbb::task_arena> take(int workers) {
    const std::lock_guard lock(mutex_);
    auto& idle = by_workers_[workers];
    if (idle.empty()) return std::make_unique<oneapi::tbb::task_arena>(workers);
    auto arena = std::move(idle.back());
    idle.pop_back();
    return arena;
  }
  void give_back(int workers, std::unique_ptr<oneapi::tbb::task_arena> arena) {
    const std::lock_guard lock(mutex_);
    by_workers_[workers].push_back(std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::unique_ptr<oneapi::tbb::task_arena>>> by_workers_;
};

/// oneTBB has no more threads than cores, and complains on standard error, unless told otherwise.
/// Every loop has an arena of its own: a thread that waits in it finds no bodies of outer loops
/// there, which is what parallel_for promises about nested loops.
template <class Body>
void run_with(int workers, const Body& body) {
  using oneapi::tbb::global_control;
  static auto& idle = *new IdleArenas;  // never destroyed: threads may outlive main
  const global_control limit(global_control::max_allowed_parallelism,
                             static_cast<std::size_t>(workers));
  auto arena = idle.take(workers);
  arena->execute(body);
  idle.give_back(workers, std::move(arena));
}

}  // namespace

int num_worker_threads(int threads) {
  return threads > 0 ? threads : oneapi::tbb::info::default_concurrency();
}

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  const int workers = num_worker_threads(threads);
  if (workers == 1 || count <= 1) {
    for (std::int64_t index = 0; index < count; ++index) {
      check_interruption();
      body(index);
    }
    return;
  }
  std::atomic<std::int64_t> first_failed{count};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto guarded = [&](std::int64_t index) {
    if (index > first_failed.load(std::memory_order_relaxed)) return;
    try {
      check_interruption();
      body(index);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (index < first_failed.load(std::memory_order_relaxed)) {
        first_failed.store(index, std::memory_order_relaxed);
        failure = std::current_exception();
      }
    }
  };
  if (kPlainThreads) {
    plain_parallel_for(count, workers, guarded);
  } else {
    run_with(workers, [&] {
      oneapi::tbb::parallel_for(std::int64_t{0}, count, guarded, oneapi::tbb::simple_partitioner{});
    });
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_pipeline(int threads, std::size_t num_slots,
                       const std::function<bool(std::size_t)>& produce,
                       const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& consume) {
  const int workers = num_worker_threads(threads);
  if (workers == 1) {
    while (produce(0)) {
      work(0);
      consume(0);
    }
    return;
  }
  if (kPlainThreads) {
    plain_pipeline(workers, num_slots, produce, work, consume);
    return;
  }
  // A failure travels with its item to the consuming stage, which meets the items in order.
  std::vector<std::exception_ptr> failures(num_slots);
  std::size_t next = 0;
  bool failed = false;
  using oneapi::tbb::filter_mode;
  const auto make = [&](oneapi::tbb::flow_control& control) -> std::size_t {
    const std::size_t slot = next++ % num_slots;
    try {
      if (failed || !produce(slot)) control.stop();
    } catch (...) {
      failed = true;
      failures[slot] = std::current_exception();
    }
    return slot;
  };
  const auto transform = [&](std::size_t slot) {
    if (failures[slot]) return slot;
    try {
      work(slot);
    } catch (...) {
      failures[slot] = std::current_exception();
    }
    return slot;
  };
  const auto take = [&](std::size_t slot) {
    if (failures[slot]) std::rethrow_exception(failures[slot]);
    consume(slot);
  };
  run_with(workers, [&] {
    oneapi::tbb::parallel_pipeline(
        num_slots,
        oneapi::tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, make) &
            oneapi::tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, transform) &
            oneapi::tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, take));
  });
}

}  // namespace rankine
