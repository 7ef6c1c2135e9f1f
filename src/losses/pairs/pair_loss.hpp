// The pair loss that options ask for, in its cheapest form for the data:
//   O(n log n) per query all losses with weights none, and slack rescaling by grade_difference or
//                        dcg, and margin rescaling by grade_difference (the logistic loss
//                        approximately)
//   O(p) per query       margin rescaling by dcg, the exact logistic loss, explicit preferences
#pragma once

#include <memory>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>
#include <rankine/options.hpp>

namespace rankine {

/// Throws Error{option} for dcg with explicit preferences or with grades whose gains 2^grade are
/// beyond reason.
std::unique_ptr<QueryLoss> make_pair_loss(const PairLossOptions& options, const Dataset& data);

}  // namespace rankine
