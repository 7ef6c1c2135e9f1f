// One query's grades in the order of its scores: what every measure is computed from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <rankine/metrics.hpp>

namespace rankine {

struct RankedQuery {
  std::vector<double> grades;           // by rank, the best score first
  std::vector<std::uint32_t> tie_ends;  // each run of equal scores ends before this rank (from 0)
  std::vector<double> ideal;            // all grades, also of missing documents, largest first
  bool averaged = true;                 // runs of equal scores stand for all their orders

  std::size_t size() const { return grades.size(); }
};

/// Throws Error{data} when sizes do not match, a score or grade is not a number, or `rules.ties`
/// needs document ids and there are none.
RankedQuery rank_query(const QueryRanking& query, const MeasureRules& rules);

/// min(k, size).
inline std::size_t cut_off(std::int64_t k, std::size_t size) {
  return static_cast<std::size_t>(std::min(k, static_cast<std::int64_t>(size)));
}

/// Calls visit(first, last) for each block of ranks [first, last), from 0, with first < end. All
/// orders of the documents of a block are equally likely; without averaging a block is one rank.
template <class Visit>
void for_each_block(const RankedQuery& query, std::size_t end, Visit visit) {
  end = std::min(end, query.size());
  if (!query.averaged) {
    for (std::size_t rank = 0; rank < end; ++rank) visit(rank, rank + 1);
    return;
  }
  std::size_t first = 0;
  for (const std::size_t last : query.tie_ends) {
    if (first >= end) return;
    visit(first, last);
    first = last;
  }
}

}  // namespace rankine
