// Any pair loss by listing the pairs of one query, O(p):
//   loss = sum over pairs of weight * l(t + 1 - margin),  t = s[winner] - s[loser],
// weights and margins as in pair_cost.hpp. The general form: what the fast losses must equal, and
// what serves explicit preferences and the costs that have no fast form.
#pragma once

#include <memory>
#include <string_view>

#include <rankine/loss.hpp>
#include <rankine/options.hpp>

#include "losses/scalar_loss.hpp"
#include "losses/smoothable_loss.hpp"

namespace rankine {

class ListedPairs final : public QueryLoss, public SmoothableLoss {
 public:
  explicit ListedPairs(Loss loss, PairWeight weight = PairWeight::none,
                       Rescaling rescaling = Rescaling::slack)
      : loss_(loss), weight_(weight), rescaling_(rescaling) {}

  std::string_view name() const override { return name_of(loss_); }
  LossNeeds needs() const override { return {.ignores_shifts = true}; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  bool has_hessian() const override { return loss_ != Loss::hinge || form_ == Form::smoothed; }
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;
  /// Requires: the hinge.
  std::unique_ptr<QueryLoss> smoothed(double width) const override;
  std::unique_ptr<QueryLoss> supporting(double width) const override;

 private:
  /// What a pair of the hinge gives.
  enum class Form { plain, smoothed, supporting };
  std::unique_ptr<QueryLoss> in_form(Form form, double width) const;
  ScalarLossValue of_pair(double t) const;
  template <class Visit>
  void for_each_pair(const QueryDocuments& query, const Visit& visit) const;

  Loss loss_;
  PairWeight weight_;
  Rescaling rescaling_;
  Form form_ = Form::plain;
  double width_ = 0;
};

}  // namespace rankine
