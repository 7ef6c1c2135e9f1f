// RankRLS's loss over one query, in its scores: the sum over pairs of
//   u_i u_j ((y_i - y_j) - (s_i - s_j))^2 = (y - s)^T L (y - s),
// L the Laplacian of the pairs: over all pairs, over those of different grades, or over those
// listed, whose magnitude stands for y_i - y_j; or L = diag(u), regression. Cost: O(n), or O(pairs)
// listed.
#pragma once

#include <span>
#include <string_view>

#include <rankine/loss.hpp>

#include "losses/pairs/pair_graph.hpp"

namespace rankine {

class SquaredErrorPairs final : public QueryLoss {
 public:
  explicit SquaredErrorPairs(PairGraph graph) : graph_(graph) {}

  std::string_view name() const override { return "squared"; }
  LossNeeds needs() const override {
    LossNeeds needs;
    needs.ignores_shifts = graph_ != PairGraph::none;
    if (graph_ == PairGraph::none) needs.queries = LossNeeds::Queries::all;
    needs.takes_preferences = graph_ != PairGraph::none;
    return needs;
  }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;

 private:
  /// out = L vector.
  void laplacian_times(const QueryDocuments& query, std::span<const double> vector,
                       std::span<double> out) const;
  bool are_listed(const QueryDocuments& query) const {
    return graph_ != PairGraph::none && !query.pairs.empty();
  }

  PairGraph graph_;
};

}  // namespace rankine
