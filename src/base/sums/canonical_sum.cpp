#include "base/sums/canonical_sum.hpp"

#include <limits>

#include "base/contract.hpp"

namespace rankine {
namespace {

// Small data has leaves of some hundred documents, up to 64 of them, which keep that many threads
// busy; large data has leaves of some thousand, so that what is added between them is little work
// and what two processes share of a leaf is little data.
constexpr std::int64_t kLeastDocuments = 512;
constexpr std::int64_t kFewLeaves = 64;
constexpr std::int64_t kManyDocuments = 8192;

constexpr int kAboveAll = std::numeric_limits<int>::max();

}  // namespace

DocumentRange::DocumentRange(std::int64_t own, Collective& collective)
    : collective_(&collective), own_(own) {
  const auto counts = gather_values(collective, std::span<const std::int64_t>(&own, 1));
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (std::cmp_less(rank, collective.rank())) first_ += counts[rank];
    total_ += counts[rank];
  }
}

std::int64_t num_leaves(std::int64_t num_documents, std::size_t width) {
  const std::int64_t narrow = std::max({std::min(num_documents / kLeastDocuments, kFewLeaves),
                                        num_documents / kManyDocuments, std::int64_t{1}});
  const auto leaves = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(narrow)));
  if (width <= CutsByWidth::kMostValues[0]) return leaves;
  const bool is_widest = width > CutsByWidth::kMostValues[1];
  return std::max<std::int64_t>(1, leaves / (is_widest ? 16 : 4));
}

std::int64_t Cuts::leaf_of(std::int64_t document, std::int64_t num_leaves, std::int64_t total) {
  RANKINE_ASSERT(document >= 0 && document < total);
  // The product of 2^40 documents and 2^27 leaves would not fit: the power of two is divided out.
  const auto bits = std::countr_zero(static_cast<std::uint64_t>(num_leaves));
  std::int64_t leaf = 0;
  std::int64_t rest = document;
  for (int bit = 0; bit < bits; ++bit) {
    rest *= 2;
    leaf *= 2;
    if (rest >= total) {
      rest -= total;
      ++leaf;
    }
  }
  return leaf;
}

Cuts Cuts::of_items(std::size_t count, std::size_t num_leaves) {
  RANKINE_ASSERT(std::has_single_bit(num_leaves));
  Cuts cuts;
  const auto first =
      [&](std::size_t leaf) {  // the least item with floor(item * leaves / count) = leaf
        return (leaf * count + num_leaves - 1) / num_leaves;
      };
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
    if (first(leaf) == first(leaf + 1)) continue;
    cuts.leaves_.push_back({static_cast<std::int64_t>(leaf), first(leaf), first(leaf + 1)});
  }
  return cuts;
}

void Cuts::add(std::int64_t leaf, std::size_t query) {
  if (leaves_.empty() || leaves_.back().number != leaf) {
    RANKINE_ASSERT(leaves_.empty() || leaves_.back().number < leaf);
    leaves_.push_back({leaf, query, query});
  }
  leaves_.back().last = query + 1;
}

void Cuts::find_neighbours() {
  if (collective_->size() == 1) return;
  const std::int64_t own[2] = {leaves_.empty() ? kNone : leaves_.front().number,
                               leaves_.empty() ? kNone : leaves_.back().number};
  const auto all = gather_values(*collective_, std::span<const std::int64_t>(own));
  const auto rank = static_cast<std::size_t>(collective_->rank());
  for (std::size_t other = 0; other < all.size() / 2; ++other) {
    if (all[2 * other] == kNone) continue;
    if (other < rank) before_ = all[2 * other + 1];
    if (other > rank && after_ == kNone) after_ = all[2 * other];
  }
  RANKINE_ASSERT(leaves_.empty() || before_ < leaves_.front().number);
  RANKINE_ASSERT(leaves_.empty() || after_ == kNone || leaves_.back().number < after_);
}

int Cuts::separation(std::size_t index) const {
  const std::int64_t before = index == 0 ? before_ : leaves_[index - 1].number;
  const std::int64_t after = index == leaves_.size() ? after_ : leaves_[index].number;
  return before == kNone || after == kNone ? kAboveAll : separation(before, after);
}

std::size_t num_queries_of_previous(const DocumentRange& documents, std::size_t width,
                                    std::span<const std::int64_t> first_documents) {
  constexpr std::int64_t kNone = -1;
  const std::int64_t count = num_leaves(documents.total(), width);
  const auto leaf_of = [&](std::int64_t document) {
    return Cuts::leaf_of(documents.first() + document, count, documents.total());
  };
  const std::int64_t last = first_documents.empty() ? kNone : leaf_of(first_documents.back());
  const auto all = gather_values(documents.collective(), std::span<const std::int64_t>(&last, 1));
  std::int64_t before = kNone;
  for (int rank = 0; rank < documents.collective().rank(); ++rank) {
    before = std::max(before, all[static_cast<std::size_t>(rank)]);
  }
  std::size_t shared = 0;
  while (shared < first_documents.size() && leaf_of(first_documents[shared]) <= before) ++shared;
  return shared;
}

double sum_over_queries(const Cuts& cuts, std::span<const double> by_query) {
  const VectorSum<double> zero(1);
  ThreadedTree<VectorSum<double>> tree(cuts, zero);
  for (std::size_t leaf = 0; leaf < cuts.size(); ++leaf) {
    VectorSum<double> sum = zero;
    for (std::size_t q = cuts[leaf].first; q < cuts[leaf].last; ++q) sum.values[0] += by_query[q];
    tree.put(leaf, std::move(sum));
  }
  return tree.finish().values[0];
}

}  // namespace rankine
