// Kendall's tau-b (1945) comes from the counts of metrics/pair_counts. Spearman's rho is Pearson's
// correlation of two lists of ranks, where documents that tie share the mean of their ranks. Ranks
// are counted from the middle of the list, so their mean is 0 and need not be subtracted.
#include "metrics/rank_correlation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "metrics/pair_counts.hpp"

namespace rankine {
namespace {

double tau_b(const RankedQuery& query, const MeasureRules&, std::int64_t) {
  const PairCounts pairs = count_pairs(query);
  const std::int64_t by_grade = pairs.preferences();
  const std::int64_t by_score = pairs.concordant + pairs.discordant + pairs.grade_ties;
  if (by_grade == 0) return kNothingToMeasure;
  if (by_score == 0) return 0;
  // Two roots, not the root of a product that may overflow what a double holds exactly.
  return static_cast<double>(pairs.concordant - pairs.discordant) /
         (std::sqrt(static_cast<double>(by_grade)) * std::sqrt(static_cast<double>(by_score)));
}

/// The rank from the middle of the list, of documents that share [first, last).
double centred_rank(std::size_t first, std::size_t last, std::size_t size) {
  return 0.5 * (static_cast<double>(first + last) - static_cast<double>(size));
}

/// Each document's centred rank by grade, in the order of the scores.
std::vector<double> centred_ranks_by_grade(const RankedQuery& query) {
  const std::size_t size = query.size();
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return query.grades[a] != query.grades[b] ? query.grades[a] > query.grades[b] : a < b;
  });
  std::vector<double> ranks(size);
  for (std::size_t first = 0; first < size;) {
    std::size_t last = first;
    while (last < size && query.grades[order[last]] == query.grades[order[first]]) ++last;
    for (std::size_t place = first; place < last; ++place) {
      ranks[order[place]] = centred_rank(first, last, size);
    }
    first = last;
  }
  return ranks;
}

double spearman(const RankedQuery& query, const MeasureRules&, std::int64_t) {
  const std::vector<double> by_grade = centred_ranks_by_grade(query);
  double product = 0;
  double score_square = 0;
  double grade_square = 0;
  std::size_t first = 0;
  for (const std::size_t last : query.tie_ends) {
    const double by_score = centred_rank(first, last, query.size());
    for (std::size_t rank = first; rank < last; ++rank) {
      product += by_score * by_grade[rank];
      score_square += by_score * by_score;
      grade_square += by_grade[rank] * by_grade[rank];
    }
    first = last;
  }
  if (grade_square == 0) return kNothingToMeasure;
  return score_square == 0 ? 0 : product / (std::sqrt(score_square) * std::sqrt(grade_square));
}

constexpr std::array kMeasures{
    MeasureEntry{"tau_b", CutOff::none, WhenEmpty::left_out, tau_b,
                 "Kendall's tau-b between scores and grades"},
    MeasureEntry{"spearman", CutOff::none, WhenEmpty::left_out, spearman,
                 "Spearman's correlation between scores and grades"},
};

}  // namespace

std::span<const MeasureEntry> rank_correlation_measures() {
  return kMeasures;
}

}  // namespace rankine
