// The user reads from the top and stops at the first document that satisfies (Chapelle et al., CIKM
// 2009). In a block of equal scores, the probability that the user passes its first j documents,
// averaged over the orders, is e_j: the mean over all sets of j of its documents of the product of
// 1 - p. The sets of j among i documents are those without the last one and those with it, hence
// the update
//   e_j <- ((i - j) e_j + j (1 - p_i) e_{j-1}) / i,
// a mean of numbers in [0, 1]: nothing cancels. The user stops at the j-th rank of the block with
// probability e_{j-1} - e_j.
#include "metrics/expected_reciprocal_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <rankine/error.hpp>

namespace rankine {
namespace {

double pass_probability(double grade, double max_grade) {
  if (grade > max_grade) {
    throw Error(ErrorKind::data,
                "grade " + real_text(grade) + " is above max_grade = " + real_text(max_grade));
  }
  // 2^(y - max) - 2^-max does not overflow where 2^y would.
  return grade <= 0 ? 1 : 1 - (std::exp2(grade - max_grade) - std::exp2(-max_grade));
}

/// e_0 .. e_length of the block [first, last), length <= last - first.
std::vector<double> mean_pass_products(const RankedQuery& query, double max_grade,
                                       std::size_t first, std::size_t last, std::size_t length) {
  std::vector<double> e(length + 1, 0);
  e[0] = 1;
  for (std::size_t rank = first; rank < last; ++rank) {
    const std::size_t count = rank - first + 1;
    const double pass = pass_probability(query.grades[rank], max_grade);
    for (std::size_t j = std::min(count, length); j > 0; --j) {
      e[j] = (static_cast<double>(count - j) * e[j] + static_cast<double>(j) * pass * e[j - 1]) /
             static_cast<double>(count);
    }
  }
  return e;
}

double err(const RankedQuery& query, const MeasureRules& rules, std::int64_t k) {
  if (query.ideal.empty() || query.ideal.front() <= 0) return kNothingToMeasure;
  const double max_grade = rules.max_grade > 0 ? rules.max_grade : query.ideal.front();
  const std::size_t end = cut_off(k, query.size());
  double passed_all = 1;
  double mean = 0;
  for_each_block(query, end, [&](std::size_t first, std::size_t last) {
    if (passed_all <= 0) return;
    const std::size_t length = std::min(last, end) - first;
    const auto e = mean_pass_products(query, max_grade, first, last, length);
    for (std::size_t j = 1; j <= length; ++j) {
      mean += passed_all * (e[j - 1] - e[j]) / static_cast<double>(first + j);
    }
    passed_all *= e[length];
  });
  return mean;
}

constexpr std::array kMeasures{
    MeasureEntry{"err", CutOff::required, WhenEmpty::zero, err,
                 "expected reciprocal rank of the document that satisfies the user",
                 Needs::max_grade},
};

}  // namespace

std::span<const MeasureEntry> expected_reciprocal_rank_measures() {
  return kMeasures;
}

}  // namespace rankine
