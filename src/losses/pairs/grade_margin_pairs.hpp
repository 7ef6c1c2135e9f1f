// Pair losses whose margin is the difference of grades, at no extra cost:
//   l(s[i] - s[j] + 1 - (y[i] - y[j])) = l((s[i] - y[i]) - (s[j] - y[j]) + 1),
// that is, the plain loss with every margin less by 1, evaluated at the scores s - y.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <rankine/loss.hpp>

#include "losses/smoothable_loss.hpp"

namespace rankine {

class GradeMarginPairs final : public QueryLoss, public SmoothableLoss {
 public:
  /// `inner` is the loss of t + 1 over the same pairs; it may need the order.
  explicit GradeMarginPairs(std::unique_ptr<QueryLoss> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  LossNeeds needs() const override { return inner_->needs(); }
  bool needs_order() const override { return inner_->needs_order(); }
  bool order_less_grade() const override { return true; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  bool has_hessian() const override { return inner_->has_hessian(); }
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;
  /// Requires: no Hessian.
  std::unique_ptr<QueryLoss> smoothed(double width) const override;
  std::unique_ptr<QueryLoss> supporting(double width) const override;

 private:
  std::unique_ptr<QueryLoss> inner_;
};

}  // namespace rankine
