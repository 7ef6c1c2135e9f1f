// The pair losses as functions of one number, t = score of the winner less the loser's: value,
// slope and curvature. For the squared loss, 1 is the difference that is asked for. Where a
// derivative jumps, the value from the right.
#pragma once

#include <cmath>
#include <stdexcept>

#include <rankine/options.hpp>

namespace rankine {

struct ScalarLossValue {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

/// Safe for any finite t: nothing overflows.
inline ScalarLossValue logistic_loss(double t) {
  const double small = std::exp(-std::abs(t));
  const double share = 1 / (1 + small);  // sigmoid of |t|
  return {std::log1p(small) + (t < 0 ? -t : 0.0), t < 0 ? -share : -small * share,
          small * share * share};
}

/// For a value outside the enum.
[[noreturn]] inline void throw_no_formula() {
  throw std::logic_error("a loss that is none of the enum's values");
}

inline ScalarLossValue scalar_loss(Loss loss, double t) {
  const double h = 1 - t;
  switch (loss) {  // no default: a loss without a formula does not compile
    case Loss::squared_hinge:
      return h > 0 ? ScalarLossValue{h * h, -2 * h, 2} : ScalarLossValue{};
    case Loss::hinge:
      return h > 0 ? ScalarLossValue{h, -1, 0} : ScalarLossValue{};
    case Loss::huber:
      if (t < 0) return {1 - 2 * t, -2, 0};
      return h > 0 ? ScalarLossValue{h * h, -2 * h, 2} : ScalarLossValue{};
    case Loss::logistic:
      return logistic_loss(t);
    case Loss::squared:
      return {h * h, -2 * h, 2};
  }
  throw_no_formula();
}

/// The hinge smoothed over a width: see hinge_pairs.hpp.
inline ScalarLossValue smoothed_hinge(double t, double width) {
  const double h = 1 - t;
  if (!(h > 0)) return {};
  if (h >= width) return {h - width / 2, -1, 0};
  return {h * h / (2 * width), -h / width, 1 / width};
}

/// A bound of the curvature; for the hinge, which has none, the square of its steepest slope.
inline double largest_curvature(Loss loss) {
  switch (loss) {
    case Loss::hinge:
      return 1;
    case Loss::logistic:
      return 0.25;
    case Loss::squared_hinge:
    case Loss::huber:
    case Loss::squared:
      return 2;
  }
  throw_no_formula();
}

}  // namespace rankine
