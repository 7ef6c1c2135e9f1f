// Stratified, systematic sampling of one query's documents. Where grades are few, each grade is a
// stratum with an equal quota as far as it has documents, because a pair needs two grades and the
// rare ones are in most pairs; within a stratum one document is drawn from each of many even
// stretches. Each document's weight is the reciprocal of its chance, so sums over pairs are right
// on average. Cochran, "Sampling Techniques", 1977, chapters 5 and 8.
#include "compute/cpu/document_sample.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"
#include "base/random.hpp"
#include "compute/cpu/products/dense_products.hpp"

namespace rankine {
namespace {

constexpr std::uint32_t kFewGrades = 64;

/// How many of each group to take, `total` in all: as many of each as can be.
std::vector<std::size_t> even_quotas(const std::vector<std::size_t>& sizes, std::size_t total) {
  std::vector<std::size_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] < sizes[b] : a < b;
  });
  std::vector<std::size_t> quotas(sizes.size());
  for (std::size_t k = 0; k < by_size.size(); ++k) {
    quotas[by_size[k]] = std::min(sizes[by_size[k]], total / (by_size.size() - k));
    total -= quotas[by_size[k]];
  }
  return quotas;
}

/// Ranks without gaps; returns how many there are.
std::uint32_t close_gaps(std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> distinct(ranks);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (std::uint32_t& rank : ranks) {
    rank = static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), rank) -
                                      distinct.begin());
  }
  return static_cast<std::uint32_t>(distinct.size());
}

}  // namespace

DocumentSample::DocumentSample(const QueryDocuments& query, const QueryShare::Chosen& chosen,
                               std::int64_t first_document)
    : documents_(query) {
  if (chosen.num_documents == 0) return;
  RANKINE_ASSERT(query.pairs.empty());
  choose(query, chosen, static_cast<std::uint64_t>(first_document));
  const std::uint32_t num_grades = close_gaps(ranks_);
  documents_ = {grades_, ranks_, num_grades, weights_};
}

void DocumentSample::choose(const QueryDocuments& query, const QueryShare::Chosen& chosen,
                            std::uint64_t seed) {
  const bool by_grade = query.num_grades <= kFewGrades;
  const auto group_of = [&](std::size_t document) -> std::size_t {
    return by_grade ? query.grade_ranks[document] : 0;
  };
  const auto counts = [&](std::size_t document) {
    return query.weights.empty() || query.weights[document] > 0;
  };
  std::vector<std::size_t> sizes(by_grade ? query.num_grades : 1);
  for (std::size_t document = 0; document < query.size(); ++document) {
    if (counts(document)) ++sizes[group_of(document)];
  }
  const std::vector<std::size_t> quotas = even_quotas(sizes, chosen.num_documents);
  // The next stretch of a group, and the document of that stretch that is taken.
  struct Next {
    std::size_t stretch = 0;
    std::size_t taken = 0;
    std::size_t seen = 0;
  };
  std::vector<Next> nexts(sizes.size());
  std::vector<Random> randoms;
  const auto find = [&](std::size_t group) {
    Next& next = nexts[group];
    const std::size_t first = next.stretch * sizes[group] / quotas[group];
    const std::size_t length = (next.stretch + 1) * sizes[group] / quotas[group] - first;
    const double draw = randoms[group].uniform(next.stretch);
    next.taken = first + static_cast<std::size_t>(draw * static_cast<double>(length));
  };
  for (std::size_t group = 0; group < sizes.size(); ++group) {
    const std::uint64_t stream = chosen.part * sizes.size() + group;
    randoms.emplace_back(seed, stream);
    if (quotas[group] > 0) find(group);
  }
  for (std::size_t document = 0; document < query.size(); ++document) {
    if (!counts(document)) continue;
    const std::size_t group = group_of(document);
    Next& next = nexts[group];
    if (next.seen++ != next.taken || next.stretch == quotas[group]) continue;
    if (++next.stretch < quotas[group]) find(group);
    numbers_.push_back(static_cast<std::uint32_t>(document));
    grades_.push_back(query.grades[document]);
    ranks_.push_back(query.grade_ranks[document]);
    weights_.push_back(static_cast<double>(sizes[group]) / static_cast<double>(quotas[group]) *
                       (query.weights.empty() ? 1.0 : query.weights[document]));
  }
}

void SampledRows::products(std::span<const double> vector, std::span<double> out) const {
  if (numbers_.empty()) return row_products(rows_, vector, out);
  for (std::size_t k = 0; k < out.size(); ++k) {
    row_products((*this)[k], vector, out.subspan(k, 1));
  }
}

void SampledRows::add_weighted(std::span<const double> factors, std::span<double> out) const {
  if (numbers_.empty()) return add_weighted_rows(rows_, factors, out);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    add_weighted_rows((*this)[k], factors.subspan(k, 1), out);
  }
}

}  // namespace rankine
