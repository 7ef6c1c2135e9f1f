// How far weights are from the minimum of J(w) = |t - R w|^2 + alpha |w|^2, whichever solver found
// them. J is strongly convex: with h = (R^T R + alpha I) w - R^T t, half its gradient,
//   J(w) - min J <= |h|^2 / alpha.
// What rounding may have done to J and h is bounded along the way and is part of the gap, so that
// objective - gap is below the minimum whatever the scale of the rows. Cost: d^2 from the sums, or
// a pass over the rows, which tells more where R w almost cancels t.
#pragma once

#include <span>

#include "linalg/gram_sums.hpp"
#include "objectives/ridge/normal_equations.hpp"
#include "solvers/ridge/ridge_path.hpp"

namespace rankine {

/// Sets objective and gap of a solution from its weights. `curvature` is a lower bound of the
/// eigenvalues of R^T R + alpha I; the gap is infinite where that is 0.
void certify(const GramSums& sums, double curvature, RidgeSolution& solution);

/// The same by a pass over the rows, with curvature alpha. `half_gradient` is set to h.
void certify(const RankingRows& rows, RidgeSolution& solution, std::vector<double>& half_gradient,
             const StopCheck& stop = {});

/// Removes rounding errors from the weights: steps -(R^T R + alpha I)^-1 h, each with an
/// h from the rows, for as long as they lower the gap. Certified before; better or the same after.
/// Cost: the sums, d^3 / 3 and a few passes. Requires: alpha > 0.
void refine(const RankingRows& rows, int threads, RidgeSolution& solution,
            const StopCheck& stop = {});

}  // namespace rankine
