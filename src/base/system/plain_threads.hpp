// The loops of base/parallel.hpp on the standard library's threads, made anew for each call: what
// ThreadSanitizer can follow. Costs a thread's start for each worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace rankine {

/// Calls call(0) ... call(count - 1) on `workers` threads. Requires: `call` does not throw.
void plain_parallel_for(std::int64_t count, int workers,
                        const std::function<void(std::int64_t)>& call);

/// As parallel_pipeline.
void plain_pipeline(int workers, std::size_t num_slots,
                    const std::function<bool(std::size_t)>& produce,
                    const std::function<void(std::size_t)>& work,
                    const std::function<void(std::size_t)>& consume);

}  // namespace rankine
