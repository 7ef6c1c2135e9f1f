// oneTBB runs the loops. ThreadSanitizer cannot see how oneTBB's own library synchronises, because
// that is not compiled for it, and would report every loop; under it plain threads take the same
// calls, so that what it reports is ours.
#include "base/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#ifdef __SANITIZE_THREAD__
#include <thread>
#include <vector>
#endif

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace rankine {
namespace {

template <class Call>
void call_in_parallel(std::int64_t count, int workers, const Call& call) {
#ifdef __SANITIZE_THREAD__
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    for (std::int64_t index = next++; index < count; index = next++) call(index);
  };
  std::vector<std::thread> threads;
  for (int worker = 1; worker < workers; ++worker) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
#else
  oneapi::tbb::task_arena arena(workers);
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::int64_t{0}, count, call, oneapi::tbb::simple_partitioner{});
  });
#endif
}

}  // namespace

int num_worker_threads(int threads) {
  return threads > 0 ? threads : oneapi::tbb::info::default_concurrency();
}

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  const int workers = num_worker_threads(threads);
  if (workers == 1 || count <= 1) {
    for (std::int64_t index = 0; index < count; ++index) body(index);
    return;
  }
  std::atomic<std::int64_t> first_failed{count};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto guarded = [&](std::int64_t index) {
    if (index > first_failed.load(std::memory_order_relaxed)) return;
    try {
      body(index);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (index < first_failed.load(std::memory_order_relaxed)) {
        first_failed.store(index, std::memory_order_relaxed);
        failure = std::current_exception();
      }
    }
  };
  call_in_parallel(count, workers, guarded);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rankine
