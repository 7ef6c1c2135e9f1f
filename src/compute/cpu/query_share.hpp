// Some of the queries to stand for all, where a sum over them need only be about right.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

/// A query with more documents, and without listed pairs, is long: a share of its documents can
/// stand for it.
constexpr std::int64_t kLongQuery = 50'000;

/// All long queries, each as samples of this share of its documents, no fewer than kLongQuery, or
/// whole where that is not worth it. Of the others those at even distances, the first among them,
/// until they are this share; one with more than a fiftieth of the pairs stands for itself alone
/// and is always among them. The same ones every time. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share);

/// How many queries are not long.
std::size_t num_short_queries(const QueryTable& table);

}  // namespace rankine
