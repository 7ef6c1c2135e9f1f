// The pair losses as functions of one number, t = score of the winner less the loser's: value,
// slope and curvature. For the squared loss 1 stands for the difference asked for. Where a
// derivative jumps, the value from the right.
#pragma once

#include <cmath>

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

inline ScalarLossValue scalar_loss(Loss loss, double t) {
  const double h = 1 - t;
  if (loss == Loss::logistic) return logistic_loss(t);
  if (!(h > 0) && loss != Loss::squared) return {};
  if (loss == Loss::hinge) return {h, -1, 0};
  if (loss == Loss::huber && t < 0) return {1 - 2 * t, -2, 0};
  return {h * h, -2 * h, 2};
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
      break;
  }
  return 2;
}

}  // namespace rankine
