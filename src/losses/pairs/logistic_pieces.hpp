// The logistic loss log(1 + exp(-t)) as a piecewise quadratic function with a continuous slope: ten
// squared hinges. Convex, 0 to the right of 7.47, exactly -t to the left of -7.47, and nowhere
// further from the logistic loss than kLogisticError.
#pragma once

#include <vector>

#include "losses/pairs/pair_sweep.hpp"

namespace rankine {

/// Largest |approximation - log(1 + exp(-t))| over all t, rounded up. It is reached at t = 0 and
/// beyond the outer knots among others; slopes differ by less than 0.01.
inline constexpr double kLogisticError = 7e-4;

std::vector<QuadraticPiece> logistic_pieces();

}  // namespace rankine
