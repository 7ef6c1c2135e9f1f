// The order of a short list, found by counting for each key those that go before it: as many
// comparisons as pairs, but several at a time and none of them a branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankine {

/// Up to here counting is faster than sorting.
constexpr std::size_t kMostCountedKeys = 320;

/// Writes the places of `keys` by rising key, equal ones by place. Keys are less than the largest
/// number of their type. Requires: keys.size() == order.size() <= kMostCountedKeys.
void order_by_counting(std::span<const std::int64_t> keys, std::span<std::uint32_t> order);

}  // namespace rankine
