// With h = m - (s[i] - s[j]) > 0 over active pairs, c h^2 = c h m + c h (s[j] - s[i]). The sweep's
// sum for winners is -2 c sum h, and s . gradient is 2 c sum h (s[j] - s[i]), so value and gradient
// come from one sweep. Scores are centred first: the loss does not change, and the two terms cancel
// less. Chapelle and Keerthi, "Efficient algorithms for ranking with SVMs", 2010.
#include "losses/pairs/piecewise_quadratic_pairs.hpp"

#include <algorithm>
#include <cstddef>

namespace rankine {

double PiecewiseQuadraticPairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                                         std::span<ActiveRange> ranges,
                                         std::span<double> out) const {
  const Sums all = sums(query, point, ranges, out);
  return 0.5 * (all.margins + all.products);
}

PiecewiseQuadraticPairs::Sums PiecewiseQuadraticPairs::sums(const QueryDocuments& query,
                                                            const QueryPoint& point,
                                                            std::span<ActiveRange> ranges,
                                                            std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  Sums all;
  if (out.empty()) return all;
  const bool by_ranges = weighting_ == PairWeighting::uniform && has_active_ranges(query);
  for (const QuadraticPiece& piece : pieces_) {
    const double winner_sum =
        by_ranges ? active_gradient(query, point, piece, ranges, out)
                  : sweep_pairs(query, point, piece, weighting_, point.scores, piece.margin, out);
    all.slopes -= winner_sum;
    all.margins -= piece.margin * winner_sum;
  }
  const double centre = point.scores[point.order[out.size() / 2]];
  for (std::size_t doc = 0; doc < out.size(); ++doc) {
    all.products += out[doc] * (point.scores[doc] - centre);
  }
  return all;
}

void PiecewiseQuadraticPairs::hessian_times(const QueryDocuments& query, const QueryPoint& point,
                                            std::span<const double> direction,
                                            std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const QuadraticPiece& piece : pieces_) {
    sweep_pairs(query, point, piece, weighting_, direction, 0.0, out);
  }
}

std::vector<QuadraticPiece> squared_hinge_pieces() {
  return {{1, 1}};
}
std::vector<QuadraticPiece> huber_pieces() {
  return {{1, 1}, {-1, 0}};
}

}  // namespace rankine
