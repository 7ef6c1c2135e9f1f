// The queries of a data set as a loss sees them, with each one's factor in the sum of losses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>
#include <rankine/options.hpp>

#include "base/sums/canonical_sum.hpp"
#include "losses/pairs/pair_graph.hpp"

namespace rankine {

/// Queries without pairs are left out: they add nothing to any loss. Keeps views of the data set.
/// Data with explicit preferences has those as its pairs, and none by grades. Where the graph has
/// no pairs, every document counts as one.
class QueryTable {
 public:
  /// Throws Error{data} for a preference between documents of different queries, of a document to
  /// itself, or with a weight or magnitude that is negative or not finite. `data` is this process's
  /// part of the documents, in whole leaves (base/sums/canonical_sum); all make their tables
  /// together.
  QueryTable(const Dataset& data, Normalisation normalisation, int threads,
             PairGraph graph = PairGraph::different_grades, Collective& collective = one_process());

  struct Query {
    std::int64_t first = 0;  // its first document's row
    double factor = 1;       // query weight over the normalisation
    double num_pairs = 0;
    std::uint32_t size = 0;
    std::uint32_t num_grades = 0;
  };

  std::span<const Query> queries() const { return queries_; }
  QueryDocuments documents(const Query& query) const;
  bool has_listed_pairs() const { return !pairs_.empty(); }
  /// Pairs over all queries of all processes, unweighted.
  double num_pairs() const { return num_pairs_; }
  /// The most grades that a query of any process has.
  std::uint32_t most_grades() const { return most_grades_; }
  /// The leaves of queries() for canonical sums of so many values.
  const Cuts& cuts(std::size_t width) const { return cuts_.of(width); }
  /// The number of the query's first document among those of all processes: what random draws
  /// about the query depend on.
  std::int64_t first_document(const Query& query) const { return documents_.first() + query.first; }

 private:
  /// For an array in which only some queries have entries: maps the first row of a query to where
  /// its entries begin.
  struct Start {
    std::int64_t first;
    std::int64_t at;
  };
  using Starts = std::vector<Start>;
  static const Start* find(const Starts& starts, const Query& query);

  /// Counts every query's grades and ranks them.
  void rank_all(const Dataset& data, int threads);
  GradeView grades_of(const Query& query) const;
  GradeRanks ranks_of(const Query& query) const;

  std::vector<Query> queries_;
  // Ranks are the codes of the grades, one byte per document, where the grades of a query are the
  // lowest ones of the data set, as they mostly are. Otherwise they are bytes of our own, or 32-bit
  // words for more than 256 grades.
  std::span<const std::uint8_t> codes_;  // by row; empty where they do not rise with the grades
  Starts rank_starts_;                   // of the queries with ranks of our own
  std::vector<std::uint8_t> rank_bytes_;
  std::vector<std::uint32_t> rank_words_;
  Starts pair_starts_;
  std::vector<ListedPair> pairs_;  // gathered by query
  GradeView grades_;
  std::span<const double> weights_;
  DocumentRange documents_;
  CutsByWidth cuts_;
  double num_pairs_ = 0;
  std::uint32_t most_grades_ = 0;
};

}  // namespace rankine
