// The queries of a data set as a loss sees them, with each one's factor in the sum of losses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>
#include <rankine/options.hpp>

#include "losses/pair_graph.hpp"

namespace rankine {

/// Queries without pairs are left out: they add nothing to any loss. Keeps views of the data set.
/// Data with explicit preferences has those as its pairs, and none by grades. Where the graph has
/// no pairs, every document counts as one.
class QueryTable {
 public:
  /// Throws Error{data} for a preference between documents of different queries, of a document to
  /// itself, or with a weight or magnitude that is negative or not finite.
  QueryTable(const Dataset& data, Normalisation normalisation, int threads,
             PairGraph graph = PairGraph::different_grades);

  struct Query {
    std::int64_t first = 0;  // its first document's row
    std::int64_t size = 0;
    std::uint32_t num_grades = 0;
    double factor = 1;  // query weight over the normalisation
    double num_pairs = 0;
    std::int64_t first_pair = 0;  // of its listed pairs
    std::int64_t first_word = 0;  // of its ranks, where grades are many
  };

  std::span<const Query> queries() const { return queries_; }
  QueryDocuments documents(const Query& query) const;
  bool has_listed_pairs() const { return !pairs_.empty(); }
  /// Pairs over all queries, unweighted.
  double num_pairs() const { return num_pairs_; }

 private:
  /// Ranks every query's grades, as bytes where they are few.
  void rank_all(const Dataset& data, int threads);

  std::vector<Query> queries_;
  std::vector<std::uint8_t> rank_bytes_;   // by row
  std::vector<std::uint32_t> rank_words_;  // of the queries with more grades than a byte can tell
  std::vector<ListedPair> pairs_;          // gathered by query
  GradeView grades_;
  std::span<const double> weights_;
  double num_pairs_ = 0;
};

}  // namespace rankine
