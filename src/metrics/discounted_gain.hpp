// Measures that add up discounted gains:
//   dcg@k = sum over ranks r <= k of gain(grade at r) * discount(r);  ndcg@k = dcg@k / ideal dcg@k;
//   mean_ndcg = mean of ndcg@1 .. ndcg@n.
// O(n) on a ranked query.
#pragma once

#include <span>

#include "metrics/measure_entry.hpp"

namespace rankine {

std::span<const MeasureEntry> discounted_gain_measures();

}  // namespace rankine
