// Loops over several threads whose outcome does not depend on how many there are.
#pragma once

#include <cstdint>
#include <functional>

namespace rankine {

/// The number of threads an option of `threads` stands for; 0 is one for each core we may use.
int num_worker_threads(int threads);

/// Calls body(0) ... body(count - 1), on up to `threads` threads (as in num_worker_threads), in no
/// particular order. If calls throw, the exception of the smallest index is thrown here, whatever
/// the number of threads: every smaller index has then been called.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace rankine
