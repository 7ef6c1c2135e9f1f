// Why a training ended.
#pragma once

#include <array>
#include <string_view>

#include "rankine/fields.hpp"

namespace rankine {

enum class Termination {
  converged,        // to the tolerance asked for, or solved directly
  completed,        // a fixed amount of work was done, as stochastic gradients do
  iteration_limit,  // max_iterations
  no_progress,      // rounding leaves nothing to gain
  time_limit,       // with the best model so far
  interrupted,      // by the caller, likewise
};
template <>
struct EnumNames<Termination> {
  static constexpr std::array<std::string_view, 6> names{"converged",       "completed",
                                                         "iteration limit", "no further progress",
                                                         "time limit",      "interrupted"};
};

}  // namespace rankine
