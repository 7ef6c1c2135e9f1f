// The name a user most likely meant.
#pragma once

#include <span>
#include <string_view>

namespace rankine {

/// The first of the names with the fewest edits to `text`, upper and lower case being the same;
/// empty when each needs three or more, or shares no letter with it.
std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names);

}  // namespace rankine
