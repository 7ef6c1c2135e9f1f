// Some of the queries to stand for all, where a sum over them need only be about right.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/query_table.hpp"

namespace rankine {

struct QueryShare {
  std::vector<std::size_t> queries;  // rising
  double scale = 1;  // a sum over these queries times this is about the sum over all
};

/// Queries at even distances, the first among them, until they are this share of all: the same ones
/// every time. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share);

}  // namespace rankine
