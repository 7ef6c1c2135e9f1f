// Documents are sorted by a hash of their non-zeros, and only documents of equal hash are compared
// value by value.
#include "data/duplicate_rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "data/feature_accuracy.hpp"

namespace rankine {
namespace {

/// Calls visit(column, value) for the non-zeros of a document, columns rising.
template <class Visit>
void for_each_nonzero(const Dataset& data, std::int64_t doc, Visit visit) {
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    const auto row = dense->row(doc);
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column] != 0) visit(static_cast<std::uint32_t>(column), row[column]);
    }
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(data.features);
  const auto end = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(doc) + 1]);
  for (auto at = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(doc)]); at < end;
       ++at) {
    if (sparse.values[at] != 0) visit(sparse.columns[at], sparse.values[at]);
  }
}

std::uint64_t row_hash(const Dataset& data, std::int64_t doc) {
  std::uint64_t hash = 0x9E3779B97F4A7C15u;
  for_each_nonzero(data, doc, [&](std::uint32_t column, float value) {
    hash ^= (std::uint64_t{column} << 32) | std::bit_cast<std::uint32_t>(value);
    hash *= 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  });
  return hash;
}

std::vector<std::pair<std::uint32_t, float>> nonzeros_of(const Dataset& data, std::int64_t doc) {
  std::vector<std::pair<std::uint32_t, float>> row;
  for_each_nonzero(data, doc,
                   [&](std::uint32_t column, float value) { row.emplace_back(column, value); });
  return row;
}

/// Adds one class of equal documents.
void add_class(const Dataset& data, std::span<const std::int64_t> docs, Duplicates& found) {
  found.num_documents += static_cast<std::int64_t>(docs.size()) - 1;
  std::vector<double> grades;
  for (const std::int64_t doc : docs) grades.push_back(data.grades[static_cast<std::size_t>(doc)]);
  found.num_pairs += count_pairs(grades);
}

}  // namespace

Duplicates find_duplicates(const Dataset& data, std::int64_t query) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> by_hash;
  for (std::int64_t doc = data.query_offsets[static_cast<std::size_t>(query)];
       doc < data.query_offsets[static_cast<std::size_t>(query) + 1]; ++doc) {
    by_hash.emplace_back(row_hash(data, doc), doc);
  }
  std::sort(by_hash.begin(), by_hash.end());
  Duplicates found;
  for (std::size_t at = 0; at < by_hash.size();) {
    std::vector<std::int64_t> same_hash;
    const std::uint64_t hash = by_hash[at].first;
    for (; at < by_hash.size() && by_hash[at].first == hash; ++at) {
      same_hash.push_back(by_hash[at].second);
    }
    // Different rows of one hash are rare: peel off one class of equal rows at a time.
    while (same_hash.size() > 1) {
      const auto first = nonzeros_of(data, same_hash.front());
      const auto rest =
          std::stable_partition(same_hash.begin(), same_hash.end(),
                                [&](std::int64_t doc) { return nonzeros_of(data, doc) == first; });
      add_class(data, {same_hash.begin(), rest}, found);
      same_hash.erase(same_hash.begin(), rest);
    }
  }
  return found;
}

}  // namespace rankine
