// Sums over the active pairs of one query without listing them. A pair (winner i, loser j) is
// active at margin m when s[i] - s[j] < m; over active pairs of weight u[i] u[j] every document
// gets
//   winner i:  out[i] += c * sum of 2 u[i] u[j] (v[i] - v[j] - mv)     and the loser its negative.
// v = s, mv = m give the gradient of c * max(0, m - t)^2; any v with mv = 0 its Hessian times v.
// Cost: O(n) for few grades and O(n log n) for many, given the documents sorted by score.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/loss.hpp"

namespace rankine {

/// c * max(0, margin - t)^2 of the score difference t.
struct QuadraticPiece {
  double coefficient = 1;
  double margin = 1;
};

/// How a pair's weight depends on its grades.
enum class PairWeighting {
  uniform,           // 1
  grade_difference,  // grade[winner] - grade[loser]
  dcg,               // IdealRanking::delta, see pair_cost.hpp
};

/// Adds to `out` (by document) as above with margin_v = mv, and returns the part of sum(out) that
/// was added to winners. `values` is by document.
double sweep_pairs(const QueryDocuments& query, const QueryPoint& point,
                   const QuadraticPiece& piece, PairWeighting weighting,
                   std::span<const double> values, double margin_v, std::span<double> out);

}  // namespace rankine
