// Documents of one query with equal features: found by hashing rows, confirmed by comparing them.
#pragma once

#include <cstdint>

#include <rankine/dataset.hpp>

namespace rankine {

struct Duplicates {
  std::int64_t num_documents = 0;  // that equal an earlier one
  std::int64_t num_pairs = 0;      // of equal features and different grades
};

/// A stored zero is a zero. Costs one pass over the query's features and a sort of its documents.
Duplicates find_duplicates(const Dataset& data, std::int64_t query);

}  // namespace rankine
