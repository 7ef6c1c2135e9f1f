// Pair losses that are sums of squared hinges, over all pairs of one query in O(n log n):
//   loss = sum over pairs of sum over pieces of c_k max(0, m_k - (s[i] - s[j]))^2.
//   squared hinge: max(0, 1-t)^2;   Huber: max(0, 1-t)^2 - max(0, -t)^2;
//   logistic, approximately: see logistic_pieces().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "losses/pairs/active_pairs.hpp"
#include "losses/pairs/pair_sweep.hpp"
#include "rankine/loss.hpp"

namespace rankine {

class PiecewiseQuadraticPairs final : public QueryLoss {
 public:
  PiecewiseQuadraticPairs(std::string name, std::vector<QuadraticPiece> pieces,
                          PairWeighting weighting = PairWeighting::uniform)
      : name_(std::move(name)), pieces_(std::move(pieces)), weighting_(weighting) {}

  std::string_view name() const override { return name_; }
  LossNeeds needs() const override { return {.ignores_shifts = true}; }
  bool needs_order() const override { return true; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override {
    return gradient(query, point, {}, out);
  }
  /// The same, and the ranges of the last piece's active pairs, where there is room for them.
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<ActiveRange> ranges, std::span<double> out) const;
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;

  /// What the value is made of, with h = margin - t over the active pairs of each piece.
  struct Sums {
    double slopes = 0;    // the sum of 2 c h
    double margins = 0;   // the same, each times its piece's margin
    double products = 0;  // scores . gradient
  };
  /// Writes the gradient too; `ranges` as above.
  Sums sums(const QueryDocuments& query, const QueryPoint& point, std::span<ActiveRange> ranges,
            std::span<double> out) const;

  const std::vector<QuadraticPiece>& pieces() const { return pieces_; }
  PairWeighting weighting() const { return weighting_; }

 private:
  std::string name_;
  std::vector<QuadraticPiece> pieces_;
  PairWeighting weighting_;
};

std::vector<QuadraticPiece> squared_hinge_pieces();
std::vector<QuadraticPiece> huber_pieces();

}  // namespace rankine
