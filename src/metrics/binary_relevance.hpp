// Measures of where the relevant documents stand, those with grade >= rules.relevant; R of them:
//   p@k      = relevant among the first k, over k;      recall@k = the same, over R;
//   map@k    = sum over relevant ranks r <= k of p@r, over min(R, k) or R;
//   mrr@k    = 1 / rank of the first relevant document, 0 when it is after k.
// O(n) on a ranked query.
#pragma once

#include <span>

#include "metrics/measure_entry.hpp"

namespace rankine {

std::span<const MeasureEntry> binary_relevance_measures();

}  // namespace rankine
