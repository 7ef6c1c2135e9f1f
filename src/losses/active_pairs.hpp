// The active pairs of one query at one point, as ranges of the documents sorted by score: found
// once, they serve every Hessian product there. A pair (winner i, loser j) is active when
// s[i] - s[j] < margin: the active losers of a document are those of lower grade from some position
// on, its active winners those of higher grade up to some position.
// Cost, G grades: O(n G) to find, O(n G) a product, which has no branch that depends on the scores.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/loss.hpp>

#include "base/memory_ahead.hpp"

namespace rankine {

/// Of the document at one position of the order. Small, because every document has one.
struct ActiveRange {
  std::uint16_t first_loser;   // losers are at this position or after it
  std::uint16_t winners_end;   // winners are before this one
  std::uint16_t num_partners;  // of both kinds
};

/// Few grades, weights all 1, and not so many documents that running sums leave the cache.
bool has_active_ranges(const QueryDocuments& query);

/// Writes one range a position. Requires: has_active_ranges(query).
void find_active_ranges(const QueryDocuments& query, const QueryPoint& point, double margin,
                        std::span<ActiveRange> out);

/// Writes, by document, factor * (sum over its active partners j of values[doc] - values[j]). Asks
/// for up to two lines of `ahead` a document.
void active_differences(const QueryDocuments& query, std::span<const std::uint32_t> order,
                        std::span<const ActiveRange> ranges, std::span<const double> values,
                        double factor, MemoryAhead& ahead, std::span<double> out);

}  // namespace rankine
