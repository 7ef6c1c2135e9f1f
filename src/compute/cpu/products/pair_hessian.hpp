// The explicit Hessian X^T H X of piecewise quadratic pair losses, for dense data with few grades:
//   sum over active pairs of 2 c u_i u_j (x_i - x_j)(x_i - x_j)^T = M + M^T,
//   M = sum over documents of x_i q_i^T,
//   q_i = a_i x_i / 2 - (sum over its active losers of 2 c u_i u_j x_j),
// where a_i is the weight of all active pairs of i. One matrix product over blocks of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/document_sample.hpp"
#include "losses/pairs/pair_sweep.hpp"
#include "rankine/loss.hpp"

namespace rankine {

class PairHessian {
 public:
  static constexpr std::uint32_t kMostGrades = 8;
  explicit PairHessian(std::size_t width);

  /// Adds factor * M of one query; sums may wait in a block until finish(). Requires: num_grades <=
  /// kMostGrades.
  void add(const SampledRows& rows, const QueryDocuments& query, const QueryPoint& point,
           std::span<const QuadraticPiece> pieces, double factor, std::span<double> target);
  void finish(std::span<double> target);

 private:
  std::size_t width_;
  std::vector<double> active_;     // a_i by document
  std::vector<double> ones_;       // the factors of a mean
  std::vector<double> mean_;       // of the query's rows
  std::vector<double> totals_;     // by piece and grade: sum of the centred rows active so far
  std::vector<std::size_t> next_;  // by piece: the first document, from the top, not active yet
  std::vector<double> partners_;   // q_i of one document
  std::vector<float> left_;        // rows waiting for the product
  std::vector<float> right_;
  std::vector<float> scratch_;
};

}  // namespace rankine
