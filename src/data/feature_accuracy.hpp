// How well each feature alone orders the pairs of one query, in O(n log n) per feature. A
// feature that is zero throughout the query costs nothing.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/dataset.hpp>

namespace rankine {

/// Adds to ordered[c] twice the number of pairs of query `query` that column c puts in order
/// (larger value, higher grade), plus once the number of pairs on which it ties. Pairs are those of
/// different grades. Requires: one entry per column.
void add_ordered_pairs(const Dataset& data, std::int64_t query, std::span<std::int64_t> ordered);

/// The number of pairs of different grades. Reorders `grades`. Costs a sort.
std::int64_t count_pairs(std::span<double> grades);

}  // namespace rankine
