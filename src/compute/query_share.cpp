#include "compute/query_share.hpp"

#include <cmath>

#include "base/contract.hpp"

namespace rankine {

namespace {

constexpr double kLarge = 0.02;                // of the weight of all queries
constexpr std::size_t kPartDocuments = 16384;  // each part looks through all

double weight_of(const QueryTable::Query& query) {
  return query.factor * query.num_pairs;
}

std::vector<QueryShare::Chosen> samples_of(const QueryShare::Chosen& whole,
                                           std::size_t most_documents) {
  const std::size_t num_parts = (most_documents + kPartDocuments - 1) / kPartDocuments;
  std::vector<QueryShare::Chosen> samples;
  for (std::size_t part = 0; part < num_parts; ++part) {
    samples.push_back({whole.query, whole.scale / static_cast<double>(num_parts),
                       most_documents / num_parts, part});
  }
  return samples;
}

}  // namespace

QueryShare share_of_queries(const QueryTable& table, double share, std::size_t most_documents) {
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
    const QueryDocuments documents = table.documents(all[each.query]);
    if (documents.size() <= most_documents || !documents.pairs.empty()) {
      with_samples.queries.push_back(each);
    } else {
      const auto samples = samples_of(each, most_documents);
      with_samples.queries.insert(with_samples.queries.end(), samples.begin(), samples.end());
    }
  }
  return with_samples;
}

}  // namespace rankine
