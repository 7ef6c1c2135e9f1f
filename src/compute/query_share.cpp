#include "compute/query_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/contract.hpp"

namespace rankine {

namespace {

constexpr double kLarge = 0.02;                   // of the weight of all queries
constexpr std::size_t kSampleDocuments = 16'384;  // few samples: each looks through the query

double weight_of(const QueryTable::Query& query) {
  return query.factor * query.num_pairs;
}

/// As samples, where not all documents are wanted.
void add(const QueryShare::Chosen& chosen, const QueryDocuments& documents, double share,
         QueryShare& target) {
  const auto size = static_cast<std::int64_t>(documents.size());
  const auto wanted =
      std::max(kLongQuery, static_cast<std::int64_t>(std::ceil(share * static_cast<double>(size))));
  if (wanted >= size || !documents.pairs.empty()) {
    target.queries.push_back(chosen);
    return;
  }
  const auto num_documents = static_cast<std::size_t>(wanted);
  const std::size_t num_samples = (num_documents + kSampleDocuments - 1) / kSampleDocuments;
  for (std::size_t k = 0; k < num_samples; ++k) {
    target.queries.push_back({chosen.query, chosen.scale / static_cast<double>(num_samples),
                              num_documents / num_samples, k});
  }
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
  QueryShare with_samples;
  for (QueryShare::Chosen& each : chosen.queries) {
    if (each.scale == 0) each.scale = counted > 0 ? others / counted : 1;
    add(each, table.documents(all[each.query]), share, with_samples);
  }
  return with_samples;
}

double num_choices(const QueryTable& table) {
  constexpr double kDocumentsAChoice = 100;
  double choices = 0;
  for (const QueryTable::Query& query : table.queries()) {
    const bool is_long = query.size > kLongQuery && table.documents(query).pairs.empty();
    choices += is_long ? static_cast<double>(query.size) / kDocumentsAChoice : 1;
  }
  return choices;
}

}  // namespace rankine
