// The slope is -1 for the winner of every active pair and 1 for its loser: a count where weights
// are 1, else the sweep with values 0 and mv = 1/2. With W the weight of all active pairs, the sum
// of (m - s[i] + s[j]) is m W + s . slope.
// Joachims, "Training linear SVMs in linear time", 2006, has the sorted sweep for ordinal grades;
// the smoothing: Nesterov, "Smooth minimization of non-smooth functions", 2005.
#include "losses/pairs/hinge_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/contract.hpp"
#include "losses/pairs/active_pairs.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"

namespace rankine {
namespace {

/// Writes by document the weight of its active winners less that of its active losers, and returns
/// the weight of all active pairs.
double active_weights(const QueryDocuments& query, const QueryPoint& point, double margin,
                      PairWeighting weighting, std::span<double> out) {
  if (weighting == PairWeighting::uniform && has_active_ranges(query)) {
    return active_counts(query, point, margin, out);
  }
  std::fill(out.begin(), out.end(), 0.0);
  thread_local std::vector<double> zeros;
  zeros.assign(out.size(), 0.0);
  return -sweep_pairs(query, point, {1, margin}, weighting, zeros, 0.5, out);
}

PiecewiseQuadraticPairs smoothed_hinge(double margin, double width, PairWeighting weighting) {
  const double coefficient = 1 / (2 * width);
  return {"smoothed_hinge", {{coefficient, margin}, {-coefficient, margin - width}}, weighting};
}

/// The planes sum of a h, a the slope of the smoothed hinge. The slopes are differences of sums
/// that grow as the width shrinks: so a plane is lowered by as much as rounding may have raised it.
class SupportingPlanes final : public QueryLoss {
 public:
  SupportingPlanes(double margin, double width, PairWeighting weighting)
      : smoothed_(smoothed_hinge(margin, width, weighting)), margin_(margin), width_(width) {}

  std::string_view name() const override { return "hinge"; }
  bool needs_order() const override { return true; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override {
    if (out.empty()) return 0;
    const double weight = active_weights(query, point, margin_, smoothed_.weighting(), out);
    const auto sums = smoothed_.sums(query, point, {}, out);
    const double range = point.scores[point.order.back()] - point.scores[point.order.front()];
    constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
    const double rounding = kRounding * weight * (std::abs(margin_) + 2 * range) * (1 + 1 / width_);
    return margin_ * sums.slopes + sums.products - rounding;
  }
  bool has_hessian() const override { return false; }
  void hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                     std::span<double>) const override {
    RANKINE_ASSERT(has_hessian());
  }

 private:
  PiecewiseQuadraticPairs smoothed_;
  double margin_;
  double width_;
};

}  // namespace

double HingePairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                            std::span<double> out) const {
  if (out.empty()) return 0;
  const double weight = active_weights(query, point, margin_, weighting_, out);
  // Centred, the two terms cancel less; the loss does not change.
  const double centre = point.scores[point.order[out.size() / 2]];
  double products = 0;
  for (std::size_t doc = 0; doc < out.size(); ++doc) {
    products += out[doc] * (point.scores[doc] - centre);
  }
  return products + margin_ * weight;
}

void HingePairs::hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                               std::span<double>) const {
  RANKINE_ASSERT(has_hessian());
}

std::unique_ptr<QueryLoss> HingePairs::smoothed(double width) const {
  return std::make_unique<PiecewiseQuadraticPairs>(smoothed_hinge(margin_, width, weighting_));
}

std::unique_ptr<QueryLoss> HingePairs::supporting(double width) const {
  return std::make_unique<SupportingPlanes>(margin_, width, weighting_);
}

}  // namespace rankine
