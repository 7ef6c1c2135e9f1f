#include "methods/solve_context.hpp"

namespace rankine {

StopRequest SolveContext::stop_request() {
  return [this](const SolveReport& report) {
    iterations_ = report.iterations;
    if (report.objective != 0) objective_ = report.objective;  // 0: not computed on the way
    return is_stopped() || asks_to_stop() || is_late();
  };
}

bool SolveContext::is_late() {
  const std::chrono::duration<double> elapsed = Clock::now() - started_;
  if (!is_stopped() && elapsed.count() >= time_limit_) stopped_by_ = Termination::time_limit;
  return is_stopped();
}

bool SolveContext::asks_to_stop() {
  // The callback may train or score, too: those loops must not ask it in turn.
  const InterruptionScope quiet([] { return false; });
  if (!progress_ || progress_({"training", iterations_, 0, "iterations", phase_, objective_})) {
    return false;
  }
  stopped_by_ = Termination::interrupted;
  return true;
}

}  // namespace rankine
