// A single long call that cannot be told to stop, on a thread of its own: whoever waits for it can
// leave. Everything else that takes long asks now and then (base/interruption); a call into LAPACK
// does not.
#pragma once

#include <functional>

namespace rankine {

/// Calls `work` and returns when it has ended; what it throws is thrown here. Where the scope of
/// this thread says so meanwhile, leaves by Interrupted at once and the work goes on by itself: it
/// must own all it uses. Outside a scope it is an ordinary call. Cost: the start of a thread.
void run_apart(std::function<void()> work);

}  // namespace rankine
