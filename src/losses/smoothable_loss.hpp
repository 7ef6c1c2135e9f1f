// Losses without a second derivative that are limits of losses with one: what lets Newton's method
// come near a minimum that cutting planes then certify.
#pragma once

#include <memory>

#include <rankine/loss.hpp>

namespace rankine {

class SmoothableLoss {
 public:
  virtual ~SmoothableLoss() = default;

  /// Convex, with a Hessian, nowhere above the loss, and the loss itself as width goes to 0.
  virtual std::unique_ptr<QueryLoss> smoothed(double width) const = 0;

  /// Planes below the loss, no lower than the smoothed loss's tangents: gradient() writes the
  /// slope of smoothed(width) at the point and returns the height of the plane there.
  virtual std::unique_ptr<QueryLoss> supporting(double width) const = 0;
};

}  // namespace rankine
