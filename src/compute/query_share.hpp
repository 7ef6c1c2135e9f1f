// Some of the queries to stand for all, where a sum over them need only be about right.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/query_table.hpp"

namespace rankine {

struct QueryShare {
  struct Chosen {
    std::size_t query;
    double scale;  // a sum over these queries, each times this, is about the sum over all
  };
  std::vector<Chosen> queries;  // rising
};

/// Queries at even distances, the first among them, until they are this share of all: the same ones
/// every time. A query with more than a fiftieth of the pairs stands for itself alone and is always
/// among them. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share);

}  // namespace rankine
