// The hinge over all pairs of one query, max(0, margin - (s[i] - s[j])), in O(n log n). A winner's
// subgradient is minus the weight of its active pairs, a loser's plus. No Hessian; smoothed over a
// width w it has one, with h = margin - (s[i] - s[j]):
//   0 for h <= 0,   h^2 / 2w up to h = w,   h - w/2 beyond:
// the highest of a h - w a^2 / 2 over 0 <= a <= 1, so that a h is a plane below the hinge.
#pragma once

#include <memory>
#include <string_view>

#include <rankine/loss.hpp>

#include "losses/pairs/pair_sweep.hpp"
#include "losses/smoothable_loss.hpp"

namespace rankine {

class HingePairs final : public QueryLoss, public SmoothableLoss {
 public:
  explicit HingePairs(double margin = 1, PairWeighting weighting = PairWeighting::uniform)
      : margin_(margin), weighting_(weighting) {}

  std::string_view name() const override { return "hinge"; }
  LossNeeds needs() const override { return {.ignores_shifts = true}; }
  bool needs_order() const override { return true; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  bool has_hessian() const override { return false; }
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;
  std::unique_ptr<QueryLoss> smoothed(double width) const override;
  std::unique_ptr<QueryLoss> supporting(double width) const override;

 private:
  double margin_;
  PairWeighting weighting_;
};

}  // namespace rankine
