// A Hessian that is right within some per cent is enough for a Newton step, so it can be summed
// over a share of the data. Queries at even distances are taken, without randomness, and stand for
// those between them: their part of the sum is scaled by the weights they leave out. A query with
// more than a fiftieth of all pairs stands for itself alone. Long queries are sampled by documents.
// The choice depends on global positions alone, so it is the same for any number of processes.
// Byrd, Chin, Neveitt and Nocedal, "On the use of stochastic Hessian information in optimization
// methods for machine learning", 2011.
#include "compute/cpu/query_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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
  // Only pairs within a sample are used; choosing a sample is a pass over the whole query.
  const auto num_documents = static_cast<std::size_t>(wanted);
  const std::size_t num_samples = std::min(kMostSamples, num_documents / kSampleDocuments);
  for (std::size_t k = 0; k < num_samples; ++k) {
    target.queries.push_back(
        {query, 1 / static_cast<double>(num_samples), num_documents / num_samples, k});
  }
}

/// The canonical sum over the queries of all processes of value(query).
template <class Value>
double sum_of(const QueryTable& table, const Value& value) {
  std::vector<double> by_query;
  by_query.reserve(table.queries().size());
  for (const QueryTable::Query& query : table.queries()) by_query.push_back(value(query));
  return sum_over_queries(table.cuts(1), by_query);
}

/// The sum of earlier processes' counts.
std::size_t sum_before(const QueryTable& table, std::size_t own) {
  Collective& collective = table.cuts(1).collective();
  const auto counts = gather_values(collective, std::span<const std::size_t>(&own, 1));
  return std::accumulate(counts.begin(), counts.begin() + collective.rank(), std::size_t{0});
}

}  // namespace

QueryShare share_of_queries(const QueryTable& table, double share) {
  RANKINE_ASSERT(share > 0 && share <= 1);
  const auto all = table.queries();
  const double total = sum_of(table, weight_of);
  const auto is_large = [&](const QueryTable::Query& query) {
    return weight_of(query) > kLarge * total;
  };
  std::size_t num_others = sum_before(
      table, static_cast<std::size_t>(std::count_if(
                 all.begin(), all.end(),
                 [&](const QueryTable::Query& query) { return !is_long(table, query); })));
  QueryShare chosen;
  chosen.queries.reserve(static_cast<std::size_t>(share * static_cast<double>(all.size())) + 1);
  // By query: the weight of those that stand for others too, and of all that they stand for.
  std::vector<double> counted(all.size());
  std::vector<double> others(all.size());
  for (std::size_t q = 0; q < all.size(); ++q) {
    if (is_long(table, all[q])) {
      add_long(q, all[q].size, share, chosen);
      continue;
    }
    const bool for_itself = is_large(all[q]);
    if (!for_itself) others[q] = weight_of(all[q]);
    const auto number = static_cast<double>(num_others++);
    const bool is_reached = std::floor(share * (number + 1)) > std::floor(share * number);
    if (!for_itself && !is_reached && number > 0) continue;
    if (!for_itself) counted[q] = weight_of(all[q]);
    chosen.queries.push_back({q, for_itself ? 1.0 : 0.0});
  }
  const double all_others = sum_over_queries(table.cuts(1), others);
  const double all_counted = sum_over_queries(table.cuts(1), counted);
  for (QueryShare::Chosen& each : chosen.queries) {
    if (each.scale == 0) each.scale = all_counted > 0 ? all_others / all_counted : 1;
  }
  return chosen;
}

std::size_t num_short_queries(const QueryTable& table) {
  return static_cast<std::size_t>(sum_of(
      table, [&](const QueryTable::Query& query) { return is_long(table, query) ? 0.0 : 1.0; }));
}

std::span<const QueryShare::Chosen> QueryShare::of(const Cuts::Leaf& leaf) const {
  const auto before = [](const Chosen& each, std::size_t query) { return each.query < query; };
  const auto first = std::lower_bound(queries.begin(), queries.end(), leaf.first, before);
  return {first, std::lower_bound(first, queries.end(), leaf.last, before)};
}

}  // namespace rankine
