// The active pairs of one query at one point, as ranges of the documents sorted by score: found
// once, they serve the gradient and every Hessian product there. A pair (winner i, loser j) is
// active when s[i] - s[j] < margin: the active losers of a document are those of lower grade from
// some position on, its active winners those of higher grade up to some position.
// Cost, G grades: O(n G) to find, O(n G) per product, which has no branch that depends on the
// scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <rankine/loss.hpp>

#include "base/prefetcher.hpp"
#include "losses/pairs/pair_sweep.hpp"

namespace rankine {

/// The document at one position of the order, with what a product needs to know of it. Small,
/// because every document has one.
class ActiveRange {
 public:
  static constexpr std::size_t kMostDocuments = 8192;
  static constexpr std::size_t kMostGrades = 7;

  ActiveRange() = default;
  ActiveRange(std::size_t document, std::size_t grade, std::size_t first_loser,
              std::size_t winners_end, std::size_t num_partners)
      : document_and_grade_(static_cast<std::uint16_t>(document | grade << kDocumentBits)),
        first_loser_(static_cast<std::uint16_t>(first_loser)),
        winners_end_(static_cast<std::uint16_t>(winners_end)),
        num_partners_(static_cast<std::uint16_t>(num_partners)) {}

  std::size_t document() const { return document_and_grade_ % kMostDocuments; }
  std::size_t grade() const { return document_and_grade_ >> kDocumentBits; }  // its rank
  std::size_t first_loser() const { return first_loser_; }    // losers are there or after it
  std::size_t winners_end() const { return winners_end_; }    // winners are before this position
  std::size_t num_partners() const { return num_partners_; }  // of both kinds

 private:
  static constexpr unsigned kDocumentBits = 13;

  std::uint16_t document_and_grade_;
  std::uint16_t first_loser_;
  std::uint16_t winners_end_;
  std::uint16_t num_partners_;
};

/// Few grades, weights all 1, and not so many documents that running sums leave the cache.
bool has_active_ranges(const QueryDocuments& query);

/// What sweep_pairs adds and returns for values that are the scores, shifted by the margin: `out`
/// += the gradient of the piece by document, and the sum of the winners' part. Writes one range per
/// position, where there is room for them. Requires: has_active_ranges(query).
double active_gradient(const QueryDocuments& query, const QueryPoint& point,
                       const QuadraticPiece& piece, std::span<ActiveRange> ranges,
                       std::span<double> out);

/// Writes, by document, how many active winners it has less its active losers, and returns the
/// number of active pairs. Likewise.
double active_counts(const QueryDocuments& query, const QueryPoint& point, double margin,
                     std::span<double> out);

/// Only the ranges. Likewise.
void find_active_ranges(const QueryDocuments& query, const QueryPoint& point, double margin,
                        std::span<ActiveRange> ranges);

/// Writes, by document, factor * (sum over its active partners j of values[doc] - values[j]).
/// Prefetches up to two cache lines of `ahead` per document.
void active_differences(std::span<const ActiveRange> ranges, std::uint32_t num_grades,
                        std::span<const double> values, double factor, Prefetcher& ahead,
                        std::span<double> out);

}  // namespace rankine
