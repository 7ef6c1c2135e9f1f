// Keeping some of the features: --features 1-10,15,title_bm25.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/array.hpp"
#include "rankine/dataset.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Columns, from 0, in the order `text` names them: parts between commas, each a feature's name,
/// its number from 1, a range `first-last` of these, or `first-` to the last one. A name
/// counts as a name even if it looks like a number or a range. Throws Error{option} when a part is
/// none of these or a feature is named twice. `feature_names` may be empty.
RANKINE_API std::vector<std::int64_t> parse_feature_list(std::string_view text,
                                                         std::int64_t num_features,
                                                         const StringList& feature_names);

/// The data with column k of its features being the old column columns[k]; all else is shared.
/// Throws Error{option} when a column is not there or is named twice.
RANKINE_API Dataset select_features(const Dataset& data, std::span<const std::int64_t> columns);

}  // namespace rankine
