// The hinge over all pairs of one query, max(0, margin - (s[i] - s[j])), in O(n log n). A winner's
// subgradient is minus the weight of its active pairs, a loser's plus. No Hessian.
#pragma once

#include <string_view>

#include <rankine/loss.hpp>

#include "losses/pair_sweep.hpp"

namespace rankine {

class HingePairs final : public QueryLoss {
 public:
  explicit HingePairs(double margin = 1, PairWeighting weighting = PairWeighting::uniform)
      : margin_(margin), weighting_(weighting) {}

  std::string_view name() const override { return "hinge"; }
  bool needs_order() const override { return true; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  bool has_hessian() const override { return false; }
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;

 private:
  double margin_;
  PairWeighting weighting_;
};

}  // namespace rankine
