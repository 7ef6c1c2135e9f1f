// What keeps weights small, beside the loss:
//   penalty(w) = sum over columns of factor * (l1 |w_k| + l2 / 2 w_k^2),
// which is L2, L1, both (the elastic net) or none, the factors all 1 unless given. Methods see
// nothing else of it than the operations here: its value, its derivatives where it is smooth, its
// proximal step where it is not, and its part of a bound of how far a minimum is. Each costs one
// pass over the vectors.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "compute/evaluator.hpp"

namespace rankine {

class Penalty {
 public:
  /// 1/2 |w|^2.
  Penalty() = default;
  static Penalty none() { return {0, 0}; }
  static Penalty l2(double strength) { return {0, strength}; }
  static Penalty l1(double strength) { return {strength, 0}; }
  static Penalty elastic_net(double l1, double l2) { return {l1, l2}; }
  /// The same with a factor for each column; 0: the column is not penalised.
  Penalty with_factors(std::vector<double> factors) const {
    Penalty result(*this);
    result.factors_ = std::move(factors);
    return result;
  }

  double l1() const { return l1_; }
  double l2() const { return l2_; }
  bool has_factors() const { return !factors_.empty(); }
  bool is_smooth() const { return l1_ == 0; }

  double value(std::span<const double> weights) const;

  // Where it is smooth.

  /// out += gradient.
  void add_gradient(std::span<const double> weights, std::span<double> out) const;
  /// out += Hessian * direction.
  void add_hessian_times(std::span<const double> direction, std::span<double> out) const;
  /// matrix += scale * Hessian, for a row-major square matrix.
  template <class T>
  void add_hessian(std::span<T> matrix, std::size_t width, double scale = 1) const {
    RANKINE_ASSERT(is_smooth());
    for (std::size_t k = 0; k < width; ++k) {
      matrix[k * width + k] += static_cast<T>(scale * curvature(k));
    }
  }
  /// Adds its value and slope at weights a + t (b - a).
  void add_line(std::span<const double> a, std::span<const double> b, double t,
                LineValue& line) const;

  // Bounds. For any convex loss and its gradient g at w, loss + penalty is at least
  //   loss(w) - g . w - conjugate(g),
  // so that objective(w) - minimum <= penalty(w) + g . w + conjugate(g), which is 0 at a minimum.

  /// The largest of slope . w - penalty(w) over all w: infinite where there is none.
  double conjugate(std::span<const double> slope) const;
  /// Where penalty(w) + slope . w is least. Requires: l2 > 0 for all columns.
  std::vector<double> minimiser(std::span<const double> slope) const;
  /// For smooth ones, from the gradient of objective = loss + penalty alone: objective - minimum
  /// <= gap. Infinite where a column without curvature has a gradient.
  double gap(std::span<const double> gradient) const;
  /// a . b in the metric of the conjugate, which of a slope is 1/2 dual_product(slope, slope).
  /// Requires: smooth, l2 > 0 for all columns.
  double dual_product(std::span<const double> a, std::span<const double> b) const;

  /// vector <- argmin over u of 1/2 |u - vector|^2 + step * penalty(u).
  void proximal_step(double step, std::span<double> vector) const;

  // Of a function in the span of kernels, whose squared norm is not that of its coefficients.
  // Requires: L2 without factors.

  double value_of_squared_norm(double squared_norm) const {
    RANKINE_ASSERT(is_smooth() && factors_.empty());
    return 0.5 * l2_ * squared_norm;
  }
  double gap_of_squared_norm(double squared_norm) const {
    RANKINE_ASSERT(is_smooth() && factors_.empty());
    if (l2_ > 0) return 0.5 * squared_norm / l2_;
    return squared_norm > 0 ? std::numeric_limits<double>::infinity() : 0;
  }

 private:
  Penalty(double l1, double l2) : l1_(l1), l2_(l2) {}
  double factor(std::size_t column) const { return factors_.empty() ? 1 : factors_[column]; }
  double curvature(std::size_t column) const { return l2_ * factor(column); }

  double l1_ = 0;
  double l2_ = 1;
  std::vector<double> factors_;  // empty: all 1
};

}  // namespace rankine
