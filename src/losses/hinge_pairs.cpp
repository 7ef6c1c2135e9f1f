// The sweep with values 0 and mv = 1/2 adds -1 for every active pair to its winner: the slope. With
// W the weight of all active pairs, sum of (m - s[i] + s[j]) = m W + s . slope.
#include "losses/hinge_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/contract.hpp"

namespace rankine {

double HingePairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                            std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.empty()) return 0;
  thread_local std::vector<double> zeros;
  zeros.assign(out.size(), 0.0);
  const double winner_sum = sweep_pairs(query, point, {1, margin_}, weighting_, zeros, 0.5, out);
  // Centred, the two terms cancel less; the loss does not change.
  const double centre = point.scores[point.order[out.size() / 2]];
  double products = 0;
  for (std::size_t doc = 0; doc < out.size(); ++doc) {
    products += out[doc] * (point.scores[doc] - centre);
  }
  return products - margin_ * winner_sum;
}

void HingePairs::hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                               std::span<double>) const {
  RANKINE_ASSERT(has_hessian());
}

}  // namespace rankine
