// The second derivative s(1 - s), s the sigmoid, is even with integral 1. Any even step function
// with integral 1 that is 0 outside [-T, T] integrates twice to a function f with f(t) - f(-t) = -t
// as for the logistic loss, so the error is even too: fitting t >= 0 is enough, and there is no
// offset to carry. Knots and heights minimise the largest error for five steps a side. A step from
// height a to b at knot m (seen from the right) is the squared hinge (b - a)/2 max(0, m - t)^2.
#include "losses/pairs/logistic_pieces.hpp"

#include <array>
#include <cstddef>

namespace rankine {

std::vector<QuadraticPiece> logistic_pieces() {
  constexpr std::size_t kSteps = 5;
  constexpr std::array<double, kSteps> kKnots{0.962162, 1.912251, 3.016019, 4.577206, 7.460012};
  std::array<double, kSteps> heights{0, 0.1554424, 0.0729069, 0.0220119, 0.0024152};
  // The middle step makes the integral 1 to the last bit: the slope on the far left is -1.
  double rest = 0.5;
  for (std::size_t k = 1; k < kSteps; ++k) rest -= heights[k] * (kKnots[k] - kKnots[k - 1]);
  heights[0] = rest / kKnots[0];
  std::vector<QuadraticPiece> pieces;
  for (std::size_t k = 0; k < kSteps; ++k) {
    const double outer = k + 1 < kSteps ? heights[k + 1] : 0.0;
    const double coefficient = 0.5 * (heights[k] - outer);
    pieces.push_back({coefficient, kKnots[k]});
    pieces.push_back({-coefficient, -kKnots[k]});
  }
  return pieces;
}

}  // namespace rankine
