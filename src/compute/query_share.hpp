// Some of the queries to stand for all, where a sum over them need only be about right.
#pragma once

#include <algorithm>
#include <cstddef>
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
  std::vector<Chosen> queries;  // rising
};

/// Queries at even distances, the first among them, until they are this share of all: the same ones
/// every time. A query with more than a fiftieth of the pairs stands for itself alone and is always
/// among them. A query with more than `most_documents`, without listed pairs, is chosen as several
/// samples of its documents, so many in all. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share, std::size_t most_documents);

/// How many documents of one query tell a matrix of so many columns.
constexpr std::size_t most_documents_for(std::size_t num_columns) {
  constexpr std::size_t kDocumentsAColumn = 2000;
  constexpr std::size_t kLeast = 50'000;
  return std::max(kLeast, kDocumentsAColumn * num_columns);
}

}  // namespace rankine
