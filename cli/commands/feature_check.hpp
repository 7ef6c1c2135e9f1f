// Whether data has the features that a model was trained on.
#pragma once

#include <cstdint>
#include <string>

#include "framework/console.hpp"

namespace rankine::cli {

/// Warns where data of `num_features` is scored by a model whose training data had `expected`: the
/// model leaves out what it never saw, and takes what the data lacks for 0.
void tell_other_features(const std::string& source, std::int64_t num_features,
                         std::int64_t expected, Console& console);

}  // namespace rankine::cli
