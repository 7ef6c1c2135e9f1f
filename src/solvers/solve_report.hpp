// What a solver did and why it stopped. Ending without success is a value, not an exception.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <rankine/termination.hpp>

namespace rankine {

/// One outer iteration, at its start.
struct SolveStep {
  double objective = 0;
  double gradient_norm = 0;
  double decrement = 0;  // g' H^-1 g
  int inner_iterations = 0;
  double step = 0;  // length taken, 1 is the whole Newton step
  double gap = 0;   // objective less the lower bound, where the method has one
};

struct SolveReport {
  Termination termination = Termination::converged;
  int iterations = 0;
  std::int64_t products = 0;  // Hessian products, preconditioned solves not counted
  int hessians = 0;           // whole Hessians formed
  double objective = 0;
  double gap = 0;  // certified: objective - minimum <= gap
  std::vector<SolveStep> steps;
};

/// Asked before each outer iteration; true ends the solve with the best weights so far. So does
/// Interrupted (base/interruption) in the middle of one.
using StopRequest = std::function<bool(const SolveReport&)>;

}  // namespace rankine
