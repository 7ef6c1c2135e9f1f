// The share of pairs in the right order, an equal score counting one half:
//   pair_accuracy: over the pairs of different grades;
//   auc: over the pairs of a relevant (grade >= rules.relevant) and another document.
// O(n log n) and O(n) on a ranked query.
#pragma once

#include <span>

#include "metrics/measure_entry.hpp"

namespace rankine {

std::span<const MeasureEntry> pair_accuracy_measures();

}  // namespace rankine
