// Expected reciprocal rank (Chapelle et al., CIKM 2009): a user reads down the list and stops at a
// document of grade y with probability p = (2^y - 1) / 2^max_grade;
//   err@k = mean of 1 / the rank where the user stops, 0 when that is after k.
// O(n) on a ranked query; O(t * min(t, k)) for t documents of equal score when ties are averaged.
#pragma once

#include <span>

#include "metrics/measure_entry.hpp"

namespace rankine {

std::span<const MeasureEntry> expected_reciprocal_rank_measures();

}  // namespace rankine
