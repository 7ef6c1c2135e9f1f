// Loops over several threads whose outcome does not depend on how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace rankine {

/// The number of threads an option of `threads` stands for; 0 is one for each core we may use.
int num_worker_threads(int threads);

/// Calls body(0) ... body(count - 1), on up to `threads` threads (as in num_worker_threads), in no
/// particular order. If calls throw, the exception of the smallest index is thrown here, whatever
/// the number of threads: every smaller index has then been called. Leaves by Interrupted where the
/// calling thread's scope says so (base/interruption).
///
/// Loops nest. A thread that waits for a loop runs bodies of that loop alone, or of loops nested in
/// it, and never another body of a loop further out. So thread-local scratch is safe in a body as
/// long as nothing that the body itself calls, nested loops included, uses the same scratch while
/// it is live. Every thread_local in this library relies on that. Where bodies of one loop nest in
/// bodies of the same source line (a leaf within a leaf), use local variables instead.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

/// Work that arrives and leaves in order and is done side by side. Each item lives in one of
/// `num_slots` slots (0, 1, ...), which are used again: produce(slot) makes the next item and
/// returns false at the end; work(slot) runs for several items at once; consume(slot) takes them in
/// the order they were made. Produce and consume each run one call at a time. What any of them
/// throws ends the work and is thrown here, once every item before it has been consumed.
void parallel_pipeline(int threads, std::size_t num_slots,
                       const std::function<bool(std::size_t)>& produce,
                       const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& consume);

}  // namespace rankine
