// The backends there are. Training asks for one by its name (TrainOptions::device).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "compute/backend.hpp"

namespace rankine {

/// The first is the default.
std::vector<std::string_view> backend_names();
/// They live as long as the program. Throws Error{option} that lists the names.
const Backend& find_backend(std::string_view name);
const Backend& default_backend();

/// Adds a backend at run time, before any thread trains. Throws Error{option} for a name that is
/// taken.
void register_backend(std::unique_ptr<const Backend> backend);

}  // namespace rankine
