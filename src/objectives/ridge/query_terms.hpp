// penalty(w) + C * sum over queries of factor * loss(X_q w), term by term: one query each.
// With a ColumnScale the columns of X are taken as scaled.
#pragma once

#include <utility>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>

#include "compute/evaluator.hpp"
#include "compute/query_table.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/stochastic_objective.hpp"

namespace rankine {

class QueryTerms final : public StochasticObjective {
 public:
  /// Keeps references. `evaluator` is of the same data, table and loss.
  QueryTerms(const Dataset& data, const QueryTable& table, const QueryLoss& loss,
             const LossEvaluator& evaluator, double C, ColumnScale columns = {},
             Penalty penalty = {})
      : data_(data),
        table_(table),
        loss_(loss),
        evaluator_(evaluator),
        C_(C),
        columns_(std::move(columns)),
        penalty_(std::move(penalty)) {}

  std::int64_t size() const override { return data_.num_features(); }
  const Penalty& penalty() const override { return penalty_; }
  double num_terms() const override { return static_cast<double>(table_.queries().size()); }
  /// By a few power iterations with each query's Hessian at scores 0; a loss without one is taken
  /// to have curvature 1. Costs a few passes over the data.
  double largest_curvature() const override;
  void add_slope(const Random& random, std::uint64_t draw, std::span<const double> direction,
                 double scale, std::span<const Target> targets) const override;
  Assessment assess(std::span<const double> weights) const override;

 private:
  double query_curvature(const QueryTable::Query& query, const QueryLoss& loss) const;

  const Dataset& data_;
  const QueryTable& table_;
  const QueryLoss& loss_;
  const LossEvaluator& evaluator_;
  double C_;
  ColumnScale columns_;
  Penalty penalty_;
};

/// The assessment of penalty(w) + C * (the evaluator's loss).
StochasticObjective::Assessment assess_ranking(const LossEvaluator& evaluator, double C,
                                               std::span<const double> weights,
                                               const ColumnScale& columns, const Penalty& penalty);

}  // namespace rankine
