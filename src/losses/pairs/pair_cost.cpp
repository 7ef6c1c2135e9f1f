// Discounts belong to positions and grades share positions, so each grade gets the mean discount of
// the positions that it takes up in the ideal ranking: prefix sums of 1 / log2(1 + p) per thread.
// Slack and margin rescaling: Tsochantaridis, Joachims, Hofmann and Altun, "Large margin methods
// for structured and interdependent output variables", 2005; DCG: Jarvelin and Kekalainen, 2002.
#include "losses/pairs/pair_cost.hpp"

#include <cmath>
#include <cstddef>

#include "base/contract.hpp"

namespace rankine {
namespace {

/// Sums of the discounts of positions 1 .. count, grown as far as any query of this thread needed.
std::span<const double> discount_sums(std::size_t count) {
  thread_local std::vector<double> sums{0.0};
  while (sums.size() <= count) {
    sums.push_back(sums.back() + 1 / std::log2(1 + static_cast<double>(sums.size())));
  }
  return sums;
}

}  // namespace

void IdealRanking::assign(const QueryDocuments& query) {
  const std::size_t num_grades = query.num_grades;
  gains.assign(num_grades, 0.0);
  discounts.assign(num_grades, 0.0);
  for (std::size_t doc = 0; doc < query.size(); ++doc) {
    gains[query.grade_ranks[doc]] = query.grades[doc];
    discounts[query.grade_ranks[doc]] += 1;
  }
  const auto sums = discount_sums(query.size());
  std::size_t position = 0;
  for (std::size_t rank = num_grades; rank-- > 0;) {
    const double count = discounts[rank];
    const std::size_t last = position + static_cast<std::size_t>(count);
    discounts[rank] = (sums[last] - sums[position]) / count;
    gains[rank] = std::exp2(gains[rank]);
    position = last;
  }
}

PairCost PairCosts::of(const QueryDocuments& query, std::uint32_t winner,
                       std::uint32_t loser) const {
  if (weight_ == PairWeight::none) return {};
  const bool margin = rescaling_ == Rescaling::margin;
  if (weight_ == PairWeight::grade_difference) {
    const double difference = query.grades[winner] - query.grades[loser];
    return margin ? PairCost{1, difference} : PairCost{difference, 1};
  }
  const double delta = ideal_.delta(query.grade_ranks[winner], query.grade_ranks[loser]);
  return margin ? PairCost{1, std::sqrt(delta)} : PairCost{delta, 1};
}

PairCost PairCosts::of(const ListedPair& pair) const {
  RANKINE_ASSERT(weight_ != PairWeight::dcg);
  if (weight_ == PairWeight::none) return {pair.weight, 1};
  return rescaling_ == Rescaling::margin ? PairCost{pair.weight, pair.magnitude}
                                         : PairCost{pair.weight * pair.magnitude, 1};
}

}  // namespace rankine
