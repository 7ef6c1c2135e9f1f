// Ctrl-C and its kin become a question that long work asks through its Progress callback.
#pragma once

namespace rankine::cli {

/// From now on the first SIGINT or SIGTERM only sets a mark; a second one ends the process at once.
/// SIGPIPE is ignored: writing to a closed pipe is an error like any other.
void watch_signals();

/// The signal that asked us to stop; 0 when none did.
int stop_signal();

}  // namespace rankine::cli
