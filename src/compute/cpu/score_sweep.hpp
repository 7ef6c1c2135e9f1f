// A loss over all queries as a function of the scores of the documents: what is left of QuerySweep
// where scores do not come from weights. Documents are those of the table's queries, in their
// order, without the others: first_of() tells where a query starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "compute/query_table.hpp"

namespace rankine {

class ScoreSweep {
 public:
  /// Keeps references.
  ScoreSweep(const QueryTable& table, const QueryLoss& loss, int threads);

  std::size_t num_documents() const { return rows_.size(); }
  /// The leaves of its queries for canonical sums of so many values, and where the documents of
  /// query q begin; q may be one past the last.
  const Cuts& cuts(std::size_t width) const { return table_.cuts(width); }
  std::size_t first_of(std::size_t query) const {
    return query < firsts_.size() ? firsts_[query] : rows_.size();
  }
  /// By document: its row in the data set.
  std::span<const std::int64_t> rows() const { return rows_; }

  struct Point {
    std::vector<double> scores;
    std::vector<std::uint32_t> order;  // within each query, where the loss needs it
    std::vector<double> slopes;        // d loss / d scores
    double loss = 0;
  };
  Point at(std::vector<double> scores) const;
  /// out = (Hessian in the scores at `point`) * direction.
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const;

 private:
  void for_each_query(const std::function<void(std::size_t query, std::size_t first,
                                               std::size_t size)>& body) const;

  const QueryTable& table_;
  const QueryLoss& loss_;
  int threads_;
  std::vector<std::size_t> firsts_;
  std::vector<std::int64_t> rows_;
};

}  // namespace rankine
