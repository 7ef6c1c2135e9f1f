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
  std::vector<Chosen> queries;  // rising
};

/// A query with more documents is long: a share of them can stand for it.
constexpr std::int64_t kLongQuery = 50'000;

/// Queries at even distances, the first among them, until they are this share of all: the same ones
/// every time. A query with more than a fiftieth of the pairs stands for itself alone and is always
/// among them. A long one without listed pairs is chosen as samples of its documents, this share of
/// them in all and no fewer than kLongQuery. Requires: 0 < share <= 1.
QueryShare share_of_queries(const QueryTable& table, double share);

/// How many queries there are to choose from, where a long one counts for as many as its documents
/// would make.
double num_choices(const QueryTable& table);

}  // namespace rankine
