// AUC has two grades, relevant and other, so one walk down the ranking counts its pairs: each other
// document loses to the relevant ones above it, and ties with half of those of its own score. More
// grades take the Fenwick tree of metrics/pair_counts.
#include "metrics/pair_accuracy.hpp"

#include <array>

#include "metrics/pair_counts.hpp"

namespace rankine {
namespace {

double pair_accuracy(const RankedQuery& query, const MeasureRules&, std::int64_t) {
  const PairCounts pairs = count_pairs(query);
  if (pairs.preferences() == 0) return kNothingToMeasure;
  return (static_cast<double>(pairs.concordant) + 0.5 * static_cast<double>(pairs.score_ties)) /
         static_cast<double>(pairs.preferences());
}

double auc(const RankedQuery& query, const MeasureRules& rules, std::int64_t) {
  double relevant_above = 0;
  double others_above = 0;
  double right = 0;
  std::size_t first = 0;
  for (const std::size_t last : query.tie_ends) {
    double relevant = 0;
    for (std::size_t rank = first; rank < last; ++rank) {
      if (query.grades[rank] >= rules.relevant) ++relevant;
    }
    const double others = static_cast<double>(last - first) - relevant;
    right += others * (relevant_above + 0.5 * relevant);
    relevant_above += relevant;
    others_above += others;
    first = last;
  }
  const double pairs = relevant_above * others_above;
  return pairs == 0 ? kNothingToMeasure : right / pairs;
}

constexpr std::array kMeasures{
    MeasureEntry{"auc", CutOff::none, WhenEmpty::left_out, auc,
                 "the share of (relevant, other) pairs in the right order"},
    MeasureEntry{"pair_accuracy", CutOff::none, WhenEmpty::left_out, pair_accuracy,
                 "the share of pairs of different grades in the right order"},
};

}  // namespace

std::span<const MeasureEntry> pair_accuracy_measures() {
  return kMeasures;
}

}  // namespace rankine
