// How a method is told to stop, and what it reports on the way. The caller's callback is asked now
// and then whether to stop. Once it said yes it is not asked again, and what is left of the work
// only puts the result in order.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <rankine/model.hpp>
#include <rankine/progress.hpp>
#include <rankine/termination.hpp>

#include "base/interruption.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

class SolveContext {
 public:
  /// The clock of the time limit starts now.
  SolveContext(double time_limit, Progress progress)
      : time_limit_(time_limit), progress_(std::move(progress)) {}

  /// work(), whose loops leave by Interrupted when the caller stops or time is up: for work that
  /// comes before there is any model. Its seconds are added to `seconds`.
  template <class Work>
  auto preparing(double& seconds, const Work& work) {
    phase_ = "preparing";
    const InterruptionScope scope(
        [this] { return !is_stopped() && (asks_to_stop() || is_late()); });
    return timed(seconds, work);
  }
  /// work(), whose loops leave by Interrupted when the caller stops. The time limit is left to
  /// stop_request(): solvers have a model to end with, and check the limit once per iteration.
  template <class Work>
  auto solving(double& seconds, const Work& work) {
    phase_ = "solving";
    const InterruptionScope scope([this] { return !is_stopped() && asks_to_stop(); });
    return timed(seconds, work);
  }

  /// For solvers: true once they should end with what they have.
  StopRequest stop_request();

  bool is_stopped() const { return stopped_by_.has_value(); }
  /// time_limit or interrupted. Requires: is_stopped().
  Termination stopped_by() const { return *stopped_by_; }
  /// Why a solve ended, given the reason that its solver reports.
  Termination reason(Termination of_solver) const {
    return of_solver == Termination::interrupted && is_stopped() ? *stopped_by_ : of_solver;
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class Work>
  static auto timed(double& seconds, const Work& work) {
    struct Timer {
      double& seconds;
      Clock::time_point start = Clock::now();
      ~Timer() { seconds += std::chrono::duration<double>(Clock::now() - start).count(); }
    };
    const Timer timer{seconds};
    return work();
  }
  bool asks_to_stop();
  bool is_late();

  double time_limit_;
  Progress progress_;
  Clock::time_point started_ = Clock::now();
  std::string_view phase_ = "";
  int iterations_ = 0;
  double objective_ = std::numeric_limits<double>::quiet_NaN();
  std::optional<Termination> stopped_by_;
};

}  // namespace rankine
