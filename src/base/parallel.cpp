#include "base/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace rankine {

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
  oneapi::tbb::task_arena arena(workers);
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::int64_t{0}, count, guarded, oneapi::tbb::simple_partitioner{});
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rankine
