// Pairs are counted without listing them, as Knight (1966) does for Kendall's tau. A walk down the
// ranking keeps the documents already passed in a Fenwick tree, indexed by grade (Fenwick 1994).
// Each document asks the tree how many of them have a higher, an equal and a lower grade:
// concordant, tied in grade, discordant. Documents of equal score enter the tree together, after
// all have asked.
#include "metrics/pair_counts.hpp"

#include <algorithm>
#include <vector>

namespace rankine {
namespace {

class CountTree {
 public:
  explicit CountTree(std::size_t num_keys) : nodes_(num_keys + 1, 0) {}
  void add(std::size_t key) {
    for (std::size_t node = key + 1; node < nodes_.size(); node += node & (~node + 1)) {
      ++nodes_[node];
    }
  }
  /// How many have a key below `key`.
  std::int64_t below(std::size_t key) const {
    std::int64_t count = 0;
    for (std::size_t node = key; node > 0; node &= node - 1) count += nodes_[node];
    return count;
  }

 private:
  std::vector<std::int64_t> nodes_;
};

std::int64_t pairs_among(std::int64_t count) {
  return count * (count - 1) / 2;
}

}  // namespace

PairCounts count_pairs(const RankedQuery& query) {
  std::vector<double> levels = query.grades;
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());

  PairCounts counts;
  CountTree above(levels.size());
  std::vector<std::size_t> tied_keys;
  std::size_t first = 0;
  for (const std::size_t last : query.tie_ends) {
    tied_keys.clear();
    for (std::size_t rank = first; rank < last; ++rank) {
      const auto level = std::lower_bound(levels.begin(), levels.end(), query.grades[rank]);
      tied_keys.push_back(static_cast<std::size_t>(level - levels.begin()));
    }
    for (const std::size_t key : tied_keys) {
      const std::int64_t lower = above.below(key);
      const std::int64_t up_to = above.below(key + 1);
      counts.discordant += lower;
      counts.grade_ties += up_to - lower;
      counts.concordant += static_cast<std::int64_t>(first) - up_to;
    }
    for (const std::size_t key : tied_keys) above.add(key);
    std::sort(tied_keys.begin(), tied_keys.end());
    std::int64_t equal = 0;
    for (auto run = tied_keys.begin(); run != tied_keys.end();) {
      const auto run_end = std::upper_bound(run, tied_keys.end(), *run);
      equal += pairs_among(run_end - run);
      run = run_end;
    }
    counts.double_ties += equal;
    counts.score_ties += pairs_among(static_cast<std::int64_t>(last - first)) - equal;
    first = last;
  }
  return counts;
}

}  // namespace rankine
