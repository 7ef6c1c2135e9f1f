// The options of training as one list: TrainOptions is made of several structs, each with its
// table, and command lines, tuning and Python see them all through here.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankine/fields.hpp"
#include "rankine/train.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// The tables of all structs inside `options`, the method's first, bound to it: it must outlive
/// them and keep its method.
RANKINE_API std::vector<OptionGroup> train_option_groups(TrainOptions& options);

/// Throws Error{option} when any option is out of its range.
RANKINE_API void validate_all(const TrainOptions& options);

/// Every option of every group in one list. A name may occur twice (tolerance); setting it sets all
/// of that name.
RANKINE_API std::vector<OptionEntry> train_option_entries(TrainOptions& options);

/// Every option by name and value, the method first and each name once.
RANKINE_API std::vector<std::pair<std::string, std::string>> train_option_texts(
    TrainOptions options);

/// Sets one option. `method` takes the defaults of the new method, and keeps what was set of the
/// options that both have. Throws Error{option} for a name or a value that does not exist.
RANKINE_API void assign_train_option(TrainOptions& options, std::string_view name,
                                     std::string_view text);

}  // namespace rankine
