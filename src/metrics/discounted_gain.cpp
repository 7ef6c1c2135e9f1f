// Documents of equal score may stand in any order. Averaged over all orders of such a block, each
// of its ranks gains the mean gain of the block (McSherry and Najork, ECIR 2008). DCG is linear in
// the gains, so replacing each gain by the mean of its block is exact, also where the cut at k
// falls inside a block.
#include "metrics/discounted_gain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <rankine/error.hpp>

namespace rankine {
namespace {

// 2^1000 times any number of documents is still finite.
constexpr double kLargestExponent = 1000;

double gain_of(double grade, const MeasureRules& rules) {
  if (grade <= 0) return 0;
  if (rules.gain == Gain::linear) return grade;
  if (grade > kLargestExponent) {
    throw Error(ErrorKind::data, "grade " + real_text(grade) +
                                     " is too large for the exponential gain (at most 1000): use "
                                     "gain = linear");
  }
  return std::exp2(grade) - 1;
}

/// `rank` from 0.
double discount_at(std::size_t rank, const MeasureRules& rules) {
  const double place = static_cast<double>(rank) + 1;
  if (rules.discount == Discount::log2) return 1 / std::log2(place + 1);
  return place <= 2 ? 1 : 1 / std::log2(place);
}

/// Calls visit(rank, expected gain) for the ranks before `end`.
template <class Visit>
void for_each_gain(const RankedQuery& query, const MeasureRules& rules, std::size_t end,
                   Visit visit) {
  for_each_block(query, end, [&](std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t rank = first; rank < last; ++rank) sum += gain_of(query.grades[rank], rules);
    const double mean = sum / static_cast<double>(last - first);
    for (std::size_t rank = first; rank < std::min(last, end); ++rank) visit(rank, mean);
  });
}

bool has_gain(const RankedQuery& query) {
  return !query.ideal.empty() && query.ideal.front() > 0;
}

double sum_of_gains(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  double sum = 0;
  for_each_gain(query, rules, cut_off(k, query.size()), [&](std::size_t rank, double gain) {
    if (gain > 0) sum += gain * discount_at(rank, rules);
  });
  return sum;
}

double ideal_sum(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  double sum = 0;
  for (std::size_t rank = 0; rank < cut_off(k, query.ideal.size()); ++rank) {
    const double gain = gain_of(query.ideal[rank], rules);
    if (gain <= 0) break;
    sum += gain * discount_at(rank, rules);
  }
  return sum;
}

double dcg(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  return has_gain(query) ? sum_of_gains(query, rules, k) : kNothingToMeasure;
}

double ndcg(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  if (!has_gain(query)) return kNothingToMeasure;
  const bool is_short = k != Measure::kNoCut && static_cast<std::int64_t>(query.size()) < k;
  if (is_short && rules.short_lists == ShortLists::zero) return 0;
  return sum_of_gains(query, rules, k) / ideal_sum(query, rules, k);
}

double mean_ndcg(const RankedQuery& query, const MeasureRules& rules, std::int64_t) {
  if (!has_gain(query)) return kNothingToMeasure;
  double actual = 0;
  double ideal = 0;
  double sum = 0;
  for_each_gain(query, rules, query.size(), [&](std::size_t rank, double gain) {
    const double discount = discount_at(rank, rules);
    actual += gain * discount;
    ideal += gain_of(query.ideal[rank], rules) * discount;
    sum += actual / ideal;
  });
  return query.size() == 0 ? 0 : sum / static_cast<double>(query.size());
}

constexpr std::array kMeasures{
    MeasureEntry{"ndcg", CutOff::optional, WhenEmpty::by_rule, ndcg,
                 "discounted gain as a share of the best possible"},
    MeasureEntry{"mean_ndcg", CutOff::none, WhenEmpty::by_rule, mean_ndcg,
                 "the mean of ndcg@1 ... ndcg@n (LETOR's MeanNDCG)"},
    MeasureEntry{"dcg", CutOff::optional, WhenEmpty::zero, dcg, "discounted gain"},
};

}  // namespace

std::span<const MeasureEntry> discounted_gain_measures() {
  return kMeasures;
}

}  // namespace rankine
