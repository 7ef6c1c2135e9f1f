// How well the order by score agrees with the order by grade, from -1 to 1:
//   tau_b    = (concordant - discordant)
//              / sqrt(pairs of different score * pairs of different grade);
//   spearman = correlation of the ranks, where equal documents share the mean of their ranks.
// Both are 0 when all scores are equal. O(n log n) on a ranked query.
#pragma once

#include <span>

#include "metrics/measure_entry.hpp"

namespace rankine {

std::span<const MeasureEntry> rank_correlation_measures();

}  // namespace rankine
