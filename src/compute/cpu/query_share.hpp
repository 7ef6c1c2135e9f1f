// Some of the queries to stand for all, where a sum over them need only be about right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/query_table.hpp"

namespace rankine {

struct QueryShare {
  struct Chosen {
    std::size_t query;
    double scale;  // a sum over these queries, each times this, is about the sum over all
    std::size_t num_documents = 0;  // that stand for a long query's; 0: all of them
    std::size_t part = 0;           // which of several such samples it is
  };
  std::vector<Chosen> queries;  // rising; samples of one query follow each other

  /// Those of one leaf.
  std::span<const Chosen> of(const Cuts::Leaf& leaf) const;
};

/// A query with more documents, and without listed pairs, is long: a share of its documents can
/// stand for it.
constexpr std::int64_t kLongQuery = 50'000;

/// All long queries, each as samples of this share of its documents, no fewer than kLongQuery, or
/// whole where that is not worth it. Of the others, queries at even distances, beginning with the
/// first, as many as make this share; one with more than a fiftieth of the pairs stands for itself
/// alone
/// and is always among them. The same ones every time, and for any number of processes; each gets
/// those of its own queries. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share);

/// Calls body(samples) with what was chosen of one query after the other.
template <class Body>
void for_each_chosen_query(std::span<const QueryShare::Chosen> chosen, const Body& body) {
  for (std::size_t first = 0; first < chosen.size();) {
    std::size_t last = first + 1;
    while (last < chosen.size() && chosen[last].query == chosen[first].query) ++last;
    body(chosen.subspan(first, last - first));
    first = last;
  }
}

/// How many queries of all processes are not long.
std::size_t num_short_queries(const QueryTable& table);

}  // namespace rankine
