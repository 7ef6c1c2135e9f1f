// Text that came from a file, made safe to show: names of features, queries and sources may hold
// line ends and escape sequences, which a terminal would obey.
#pragma once

#include <string>
#include <string_view>

#include "rankine/visibility.hpp"

namespace rankine {

/// `text` on one line and without power over a terminal: control characters, marks that turn the
/// direction of writing and bytes that are not UTF-8 become "\n", "\t", "\x1b" or "\u202e"; all
/// else stays as it is.
RANKINE_API std::string printable(std::string_view text);

/// The same for text that is JSON already: what JSON lets through is written as its own \u escapes,
/// so that it is still the same JSON. Line ends between values stay. Requires: valid UTF-8.
RANKINE_API std::string printable_json(std::string_view json);

}  // namespace rankine
