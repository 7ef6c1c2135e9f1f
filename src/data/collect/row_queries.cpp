// Usually the rows of a query are contiguous, and it is enough to know where each query begins.
// When a query comes back, all rows so far are given the number of their query, and every later row
// gets one.
#include "data/collect/row_queries.hpp"

#include <utility>

#include "base/contract.hpp"

namespace rankine {

void RowQueries::start(std::size_t row, std::uint32_t query) {
  RANKINE_ASSERT(row == 0 || !starts_.empty());
  if (!starts_.empty() && query == query_) return;
  if (query == starts_.size() && are_gathered()) {
    starts_.push_back(static_cast<std::int64_t>(row));
  } else {
    number_rows(row);
  }
  query_ = query;
}

/// Numbers the rows before `num_rows` that have no number yet.
void RowQueries::number_rows(std::size_t num_rows) {
  if (are_gathered()) {
    numbers_.reserve(num_expected_);
    for (std::size_t query = 0; query + 1 < starts_.size(); ++query) {
      numbers_.resize(static_cast<std::size_t>(starts_[query + 1]),
                      static_cast<std::uint32_t>(query));
    }
  }
  numbers_.resize(num_rows, query_);
}

std::vector<std::int64_t> RowQueries::offsets(std::size_t num_rows) && {
  RANKINE_ASSERT(are_gathered());
  starts_.push_back(static_cast<std::int64_t>(num_rows));
  return std::move(starts_);
}

std::vector<std::uint32_t> RowQueries::numbers(std::size_t num_rows) && {
  RANKINE_ASSERT(!are_gathered());
  number_rows(num_rows);
  return std::move(numbers_);
}

}  // namespace rankine
