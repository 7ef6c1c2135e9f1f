#include "compute/cpu/query_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/contract.hpp"

namespace rankine {

namespace {

constexpr double kLarge = 0.02;  // of the weight of all queries
constexpr std::size_t kSampleDocuments = 16'384;
constexpr std::size_t kMostSamples = 16;

double weight_of(const QueryTable::Query& query) {
  return query.factor * query.num_pairs;
}

bool is_long(const QueryTable& table, const QueryTable::Query& query) {
  return query.size > kLongQuery && table.documents(query).pairs.empty();
}

void add_long(std::size_t query, std::int64_t size, double share, QueryShare& target) {
  const auto wanted =
      std::max(kLongQuery, static_cast<std::int64_t>(std::ceil(share * static_cast<double>(size))));
  if (2 * wanted >= size) {
    target.queries.push_back({query, 1});
    return;
  }
  // Pairs are looked at within a sample only; each looks through the whole query.
  const auto num_documents = static_cast<std::size_t>(wanted);
  const std::size_t num_samples = std::min(kMostSamples, num_documents / kSampleDocuments);
  for (std::size_t k = 0; k < num_samples; ++k) {
    target.queries.push_back(
        {query, 1 / static_cast<double>(num_samples), num_documents / num_samples, k});
  }
}

}  // namespace

QueryShare share_of_queries(const QueryTable& table, double share) {
  RANKINE_ASSERT(share > 0 && share <= 1);
  const auto all = table.queries();
  double total = 0;
  for (const QueryTable::Query& query : all) total += weight_of(query);
  QueryShare chosen;
  chosen.queries.reserve(static_cast<std::size_t>(share * static_cast<double>(all.size())) + 1);
  double others = 0;  // the weight of those that stand for others too
  double counted = 0;
  std::size_t num_others = 0;
  for (std::size_t q = 0; q < all.size(); ++q) {
    if (is_long(table, all[q])) {
      add_long(q, all[q].size, share, chosen);
      continue;
    }
    const bool is_large = weight_of(all[q]) > kLarge * total;
    if (!is_large) others += weight_of(all[q]);
    const auto number = static_cast<double>(num_others++);
    const bool is_reached = std::floor(share * (number + 1)) > std::floor(share * number);
    if (!is_large && !is_reached && number > 0) continue;
    if (!is_large) counted += weight_of(all[q]);
    chosen.queries.push_back({q, is_large ? 1.0 : 0.0});
  }
  for (QueryShare::Chosen& each : chosen.queries) {
    if (each.scale == 0) each.scale = counted > 0 ? others / counted : 1;
  }
  return chosen;
}

std::size_t num_short_queries(const QueryTable& table) {
  const auto all = table.queries();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(),
                    [&](const QueryTable::Query& query) { return !is_long(table, query); }));
}

}  // namespace rankine
