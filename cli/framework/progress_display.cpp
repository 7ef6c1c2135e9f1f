// A bar is redrawn ten times a second at most. Plain lines come after 1, 2, 4, ... seconds and then
// every half minute: a log stays short, however long the work.
#include "framework/progress_display.hpp"

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include <rankine/printable.hpp>

#include "framework/console.hpp"
#include "framework/text_table.hpp"

namespace rankine::cli {
namespace {

constexpr double kFirst = 1;
constexpr double kRedraw = 0.1;
constexpr double kLongest = 30;

}  // namespace

ProgressDisplay::ProgressDisplay(bool visible, bool log_stages)
    : terminal_(::isatty(STDERR_FILENO) == 1), visible_(visible), log_stages_(log_stages) {}

ProgressDisplay::~ProgressDisplay() {
  clear();
}

void ProgressDisplay::begin(const ProgressEvent& event) {
  finish();
  stage_ = printable(event.stage);
  event_stage_ = event.stage;
  unit_ = event.unit;
  start_ = Clock::now();
  interval_ = kFirst;
  next_ = start_ + std::chrono::milliseconds(static_cast<int>(1000 * kFirst));
}

void ProgressDisplay::update(const ProgressEvent& event) {
  if (!visible_) return;
  if (event.stage != event_stage_ || event.done < done_) begin(event);
  done_ = event.done;
  total_ = event.total;
  const auto now = Clock::now();
  if (now < next_) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (terminal_) {
    draw_bar(seconds);
    interval_ = kRedraw;
  } else {
    const std::string share =
        total_ > 0 ? std::to_string(done_ * 100 / std::max<std::int64_t>(total_, 1)) + " %, " : "";
    write_error(stage_ + ": " + share + rate_and_rest(seconds) + "\n");
    told_ = true;
    interval_ = std::min(2 * interval_, kLongest);
  }
  next_ = now + std::chrono::milliseconds(static_cast<int>(1000 * interval_));
}

std::string ProgressDisplay::rate_and_rest(double seconds) const {
  const double rate = static_cast<double>(done_) / std::max(seconds, 1e-9);
  std::string text =
      quantity_text(static_cast<double>(done_), unit_) + ", " + quantity_text(rate, unit_) + "/s";
  if (total_ > 0 && done_ > 0 && done_ < total_) {
    text += ", " + duration_text(static_cast<double>(total_ - done_) / rate) + " left";
  }
  return text;
}

void ProgressDisplay::draw_bar(double seconds) {
  const std::string tail = " " + rate_and_rest(seconds);
  std::string line = stage_;
  const int room = terminal_width(STDERR_FILENO) - 1;
  const int bar_width = std::min(30, room - display_width(line) - display_width(tail) - 8);
  if (total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    if (bar_width >= 5) {
      line += " " + bar_text(share, bar_width, '.');
    }
    line += " " + std::to_string(static_cast<int>(100 * share)) + "%";
  }
  line += tail;
  write_error("\r" + fit_text(line, room) + "\033[K");
  drawn_ = true;
}

void ProgressDisplay::clear() {
  if (drawn_) write_error("\r\033[K");
  drawn_ = false;
}

void ProgressDisplay::finish() {
  clear();
  if (!stage_.empty()) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (log_stages_ || told_) {
      write_error(stage_ + ": " + quantity_text(static_cast<double>(done_), unit_) + " in " +
                  duration_text(seconds) + "\n");
    }
  }
  stage_.clear();
  done_ = 0;
  told_ = false;
}

}  // namespace rankine::cli
