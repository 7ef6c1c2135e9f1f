#include "compute/query_share.hpp"

#include <cmath>

#include "base/contract.hpp"

namespace rankine {

namespace {

constexpr double kLarge = 0.02;  // of the weight of all queries

double weight_of(const QueryTable::Query& query) {
  return query.factor * query.num_pairs;
}

}  // namespace

QueryShare share_of_queries(const QueryTable& table, double share) {
  RANKINE_ASSERT(share > 0 && share <= 1);
  const auto all = table.queries();
  double total = 0;
  for (const QueryTable::Query& query : all) total += weight_of(query);
  QueryShare chosen;
  double others = 0;  // the weight of those that are not large
  double counted = 0;
  for (std::size_t q = 0; q < all.size(); ++q) {
    const bool is_large = weight_of(all[q]) > kLarge * total;
    if (!is_large) others += weight_of(all[q]);
    const double reached = share * static_cast<double>(q + 1);
    const bool is_reached = std::floor(reached) > std::floor(share * static_cast<double>(q));
    if (!is_large && !is_reached && q > 0) continue;
    if (!is_large) counted += weight_of(all[q]);
    chosen.queries.push_back({q, is_large ? 1.0 : 0.0});
  }
  for (QueryShare::Chosen& each : chosen.queries) {
    if (each.scale == 0) each.scale = counted > 0 ? others / counted : 1;
  }
  return chosen;
}

}  // namespace rankine
