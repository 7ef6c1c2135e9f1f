// The small quadratic programme inside a cutting plane method,
//   maximise  b . a - 1/2 a' G a   over  a >= 0, sum(a) = 1,
// for a symmetric positive semidefinite G, by an active set method. Cost: O(k^3) for each change of
// the set of positive variables; a warm start needs few changes.
#pragma once

#include <span>
#include <vector>

namespace rankine {

struct SimplexQuadratic {
  std::vector<double> gram;    // G, row-major
  std::vector<double> linear;  // b

  std::size_t size() const { return linear.size(); }
  double value(std::span<const double> a) const;
  /// b - G a.
  std::vector<double> slopes(std::span<const double> a) const;
};

/// How far a feasible `a` is from the maximum, at most: max(slopes) - a . slopes.
double optimality_gap(const SimplexQuadratic& problem, std::span<const double> a);

/// Improves the feasible `a` until its optimality gap is at most `tolerance`, or rounding allows no
/// further change. Never lowers the value by more than rounding. Returns the number of changes.
int maximise(const SimplexQuadratic& problem, double tolerance, std::span<double> a);

}  // namespace rankine
