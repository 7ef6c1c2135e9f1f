// A loss on one query at a time, as the strategies of a sweep need it: scores, order, gradient and
// Hessian product. Knows where a query's part of a point lies and in which of two forms its pairs
// are found: as ranges of positions, where grades are few and all pairs have the same weight
// (losses/pairs/active_pairs), or by the loss from scores and order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"
#include "losses/pairs/active_pairs.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"

namespace rankine {

/// Some weights, with what was found there. Only the weights must be kept. What else is missing is
/// computed again when it is needed, by the first Hessian product for all that follow. Two threads
/// must not do so at the same time.
struct SweepPoint {
  std::vector<double> weights;
  mutable std::vector<double> scores;
  mutable std::vector<std::uint32_t> order;
  mutable std::vector<ActiveRange> ranges;
};

/// What one leaf needs while it goes through its queries; each leaf has its own.
struct QueryScratch {
  std::vector<double> scores;   // of documents at a point
  std::vector<double> along;    // products of their rows with a direction
  std::vector<double> factors;  // one factor per row, for a sum of rows
  std::vector<std::uint32_t> order;

  void resize(std::size_t size) {
    scores.resize(size);
    along.resize(size);
    factors.resize(size);
  }
};

/// The entries of one query of values by row; none where there are no values.
template <class T>
std::span<T> rows_of(std::vector<T>& values, const QueryTable::Query& query) {
  if (values.empty()) return {};
  return std::span(values).subspan(static_cast<std::size_t>(query.first),
                                   static_cast<std::size_t>(query.size));
}
template <class T>
std::span<const T> rows_of(const std::vector<T>& values, const QueryTable::Query& query) {
  if (values.empty()) return {};
  return std::span(values).subspan(static_cast<std::size_t>(query.first),
                                   static_cast<std::size_t>(query.size));
}

/// The rows of the query after this one, if the leaf has one: to be prefetched.
Prefetcher next_rows(const FeatureRows& features, const QueryTable& table, const Cuts::Leaf& leaf,
                     std::size_t query);

class QueryLosses {
 public:
  /// Keeps references.
  QueryLosses(const QueryTable& table, const QueryLoss& loss, int threads);

  const QueryTable& table() const { return table_; }
  const QueryLoss& loss() const { return loss_; }
  /// Whether the pairs of this query are found as ranges; those of at least one query; not those of
  /// every query.
  bool by_ranges(const QueryDocuments& query) const;
  bool has_ranges() const { return has_ranges_; }
  bool has_others() const { return has_others_; }

  /// The scores of one query at a point, and its order given its scores. Those that are not kept go
  /// to the scratch.
  std::span<const double> scores(const QueryTable::Query& query, const QueryRows& rows,
                                 const SweepPoint& point, QueryScratch& scratch) const;
  std::span<const std::uint32_t> order(const QueryTable::Query& query, const SweepPoint& point,
                                       std::span<const double> scores, QueryScratch& scratch) const;

  /// Writes factor * (gradient of one query's loss) and returns factor * loss. Writes ranges where
  /// there is room for them.
  double gradient(const QueryTable::Query& query, const QueryPoint& point,
                  std::span<ActiveRange> ranges, std::span<double> out) const;

  /// What the first product at a point must compute.
  struct Find {
    bool order = false;
    bool ranges = false;
  };
  /// factor * (Hessian of one query's loss) * along; what is missing is computed first. Prefetches
  /// from `ahead` on the way, because memory is idle meanwhile: a product of 46 columns takes a
  /// quarter less time.
  void product(const QueryTable::Query& query, const QueryRows& rows, const SweepPoint& point,
               Find find, std::span<const double> along, Prefetcher& ahead, QueryScratch& scratch,
               std::span<double> out) const;

 private:
  const QueryTable& table_;
  const QueryLoss& loss_;
  int threads_;
  const PiecewiseQuadraticPairs* one_piece_ = nullptr;  // the loss, where all pairs are alike
  bool has_ranges_ = false;
  bool has_others_ = false;
};

}  // namespace rankine
