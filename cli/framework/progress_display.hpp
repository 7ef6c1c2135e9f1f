// The progress of long work, on standard error: a bar with rate and time left on a terminal, a
// plain line now and then elsewhere. Nothing is shown of a stage that lasts less than a second.
#pragma once

#include <chrono>
#include <string>

#include <rankine/progress.hpp>

namespace rankine::cli {

class ProgressDisplay {
 public:
  /// `visible`: false shows nothing. `log_stages`: a line for every stage that has ended.
  ProgressDisplay(bool visible, bool log_stages);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Shows the event when its time has come.
  void update(const ProgressEvent& event);
  /// Ends the present stage.
  void finish();
  /// Takes the bar off the screen so that other text can be written; the next update brings it
  /// back.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const ProgressEvent& event);
  void draw_bar(double seconds);
  std::string rate_and_rest(double seconds) const;

  bool terminal_;
  bool visible_;
  bool log_stages_;
  bool drawn_ = false;  // the bar is on the screen
  bool told_ = false;   // a plain line was written in this stage
  std::string event_stage_;
  std::string stage_;  // the same, safe to show; empty: none
  std::string unit_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  Clock::time_point start_;
  Clock::time_point next_;  // when to show something again
  double interval_ = 0;     // seconds between plain lines
};

}  // namespace rankine::cli
