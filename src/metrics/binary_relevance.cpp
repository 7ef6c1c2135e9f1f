// Documents of equal score may stand in any order, so a measure is averaged over all orders of each
// block of equal scores, exactly and in closed form (McSherry and Najork, ECIR 2008). For a block
// of t documents, m of them relevant, that follows `before` others of which `hits` were relevant:
//   the j-th rank of the block is relevant with probability m/t, and given that, the block's
//   earlier ranks hold (j-1)(m-1)/(t-1) relevant documents on average, so it adds to MAP
//   m/t * (hits + 1 + (j-1)(m-1)/(t-1)) / (before + j);
//   while no earlier rank of the block was relevant, its j-th is with probability m/(t-j+1).
#include "metrics/binary_relevance.hpp"

#include <algorithm>
#include <array>

namespace rankine {
namespace {

double num_relevant(std::span<const double> grades, const MeasureRules& rules) {
  const auto is_relevant = [&](double grade) { return grade >= rules.relevant; };
  return static_cast<double>(std::count_if(grades.begin(), grades.end(), is_relevant));
}

double num_relevant(const RankedQuery& query, const MeasureRules& rules, std::size_t first,
                    std::size_t last) {
  return num_relevant(std::span(query.grades).subspan(first, last - first), rules);
}

/// The expected number of relevant documents among the first k.
double hits_before(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  const std::size_t end = cut_off(k, query.size());
  double hits = 0;
  for_each_block(query, end, [&](std::size_t first, std::size_t last) {
    const double relevant = num_relevant(query, rules, first, last);
    const double share =
        static_cast<double>(std::min(last, end) - first) / static_cast<double>(last - first);
    hits += relevant * share;
  });
  return hits;
}

double precision(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  if (num_relevant(query.ideal, rules) == 0) return kNothingToMeasure;
  if (query.size() == 0) return 0;
  const bool truncate = rules.short_lists == ShortLists::truncate;
  const double places =
      truncate ? static_cast<double>(cut_off(k, query.size())) : static_cast<double>(k);
  return hits_before(query, rules, k) / places;
}

double recall(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  const double relevant = num_relevant(query.ideal, rules);
  return relevant == 0 ? kNothingToMeasure : hits_before(query, rules, k) / relevant;
}

double average_precision(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  const double all_relevant = num_relevant(query.ideal, rules);
  if (all_relevant == 0) return kNothingToMeasure;
  const std::size_t end = cut_off(k, query.size());
  double hits = 0;
  double sum = 0;
  for_each_block(query, end, [&](std::size_t first, std::size_t last) {
    const double relevant = num_relevant(query, rules, first, last);
    if (relevant == 0) return;
    const double size = static_cast<double>(last - first);
    const double earlier_rate = size > 1 ? (relevant - 1) / (size - 1) : 0;
    double block_sum = 0;
    for (std::size_t rank = first; rank < std::min(last, end); ++rank) {
      const double earlier = static_cast<double>(rank - first) * earlier_rate;
      block_sum += (hits + 1 + earlier) / (static_cast<double>(rank) + 1);
    }
    sum += relevant / size * block_sum;
    hits += relevant;
  });
  const bool reachable = rules.map_divisor == MapDivisor::reachable;
  return sum / (reachable ? std::min(all_relevant, static_cast<double>(k)) : all_relevant);
}

double reciprocal_rank(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  if (num_relevant(query.ideal, rules) == 0) return kNothingToMeasure;
  const std::size_t end = cut_off(k, query.size());
  double mean = 0;
  bool found = false;
  for_each_block(query, end, [&](std::size_t first, std::size_t last) {
    if (found) return;
    const double relevant = num_relevant(query, rules, first, last);
    if (relevant == 0) return;
    found = true;
    double none_yet = 1;  // the probability that no earlier rank of the block is relevant
    for (std::size_t rank = first; rank < std::min(last, end) && none_yet > 0; ++rank) {
      const double left = static_cast<double>(last - rank);
      mean += none_yet * relevant / left / (static_cast<double>(rank) + 1);
      none_yet *= (left - relevant) / left;
    }
  });
  return mean;
}

constexpr std::array kMeasures{
    MeasureEntry{"map", CutOff::optional, WhenEmpty::by_rule, average_precision,
                 "mean precision at the ranks of the relevant documents"},
    MeasureEntry{"mrr", CutOff::optional, WhenEmpty::zero, reciprocal_rank,
                 "1 / the rank of the first relevant document"},
    MeasureEntry{"p", CutOff::required, WhenEmpty::zero, precision,
                 "the share of relevant documents among the first k"},
    MeasureEntry{"recall", CutOff::required, WhenEmpty::by_rule, recall,
                 "the share of the relevant documents that are among the first k"},
};

}  // namespace

std::span<const MeasureEntry> binary_relevance_measures() {
  return kMeasures;
}

}  // namespace rankine
