// Ctrl-C and similar signals set a flag that long work checks through its Progress callback.
#pragma once

namespace rankine::cli {

/// From now on SIGHUP, SIGXCPU and the first SIGINT or SIGTERM only set a mark; a second one of the
/// latter two ends the process at once. SIGPIPE and SIGXFSZ are ignored: writing to a closed pipe,
/// or more than a file may hold, is an error like any other.
void watch_signals();

/// The signal that asked us to stop; 0 when none did.
int stop_signal();

}  // namespace rankine::cli
