// For programs that own their process: the command line and the Python package call these at their
// start, and when they write what took long to make. Nothing here is needed to use the library.
#pragma once

#include <string>
#include <vector>

#include "rankine/visibility.hpp"

namespace rankine {

/// Puts a stand-in at each of the descriptors 0 to 2 that is closed, so that using it is an error.
/// The library itself never uses these numbers for files.
RANKINE_API void reserve_standard_descriptors();

/// Throws Error{io}, as writing to `path` would at the end of long work, where it cannot be
/// written; leaves nothing behind.
RANKINE_API void check_output(const std::string& path);

/// From now on a data set or model that another program cuts short while it is in use ends the
/// process with status 2 and a line that names the file, where SIGBUS would end it. Other causes of
/// that signal go to the handler there was.
RANKINE_API void end_when_inputs_are_cut();

/// Files whose bytes another program changed while this one had them open: what was made of them is
/// not to be trusted.
RANKINE_API std::vector<std::string> changed_inputs();

/// Whether work that was interrupted still runs, because a single call of it cannot be ended. When
/// the process ends it is waited for, unless the program ends by std::_Exit.
RANKINE_API bool has_abandoned_work();

/// Which BLAS does the large products, and for which processor: "OpenBLAS 0.3.21, kernels for
/// SkylakeX". Loads it. Throws Error{io} where there is none.
RANKINE_API std::string linear_algebra();

}  // namespace rankine
