// One step of a descent method that never goes up: the whole step where it decreases enough, else
// the minimiser along it.
#pragma once

#include <memory>
#include <span>

#include "objectives/objective.hpp"

namespace rankine {

/// Replaces `point` by the best found along `direction`, `whole` being the point at its end and
/// `decrement` = -gradient . direction. Returns the share of the step taken, 0 for none.
double take_step(const SmoothObjective& objective, std::unique_ptr<SmoothObjective::Point>& point,
                 std::unique_ptr<SmoothObjective::Point> whole, std::span<const double> direction,
                 double decrement);

}  // namespace rankine
