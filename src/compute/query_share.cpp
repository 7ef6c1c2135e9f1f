#include "compute/query_share.hpp"

#include <cmath>

#include "base/contract.hpp"

namespace rankine {

QueryShare share_of_queries(const QueryTable& table, double share) {
  RANKINE_ASSERT(share > 0 && share <= 1);
  const auto all = table.queries();
  QueryShare chosen;
  double total = 0;
  double counted = 0;
  for (std::size_t q = 0; q < all.size(); ++q) {
    const double weight = all[q].factor * all[q].num_pairs;
    total += weight;
    const double reached = share * static_cast<double>(q + 1);
    if (q > 0 && std::floor(reached) == std::floor(share * static_cast<double>(q))) continue;
    chosen.queries.push_back(q);
    counted += weight;
  }
  if (counted > 0) chosen.scale = total / counted;
  return chosen;
}

}  // namespace rankine
