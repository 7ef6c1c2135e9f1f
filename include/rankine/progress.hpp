// How long work reports its progress, and how the caller stops it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

namespace rankine {

struct ProgressEvent {
  std::string_view stage;       // "reading train.txt"
  std::int64_t done = 0;        // in units; never falls within a stage
  std::int64_t total = 0;       // 0 when not known
  std::string_view unit = "";   // "bytes", "rows", "queries", "iterations"
  std::string_view phase = "";  // of training: "preparing", "solving"
  /// Of the best weights so far, while a solver is at work; NaN where it is not known.
  double objective = std::numeric_limits<double>::quiet_NaN();
  /// While tuning: the deciding measure of the best setting so far, its mean over the folds that
  /// the setting was tried on; NaN elsewhere.
  double measure = std::numeric_limits<double>::quiet_NaN();
};

/// Called now and then, from one thread at a time. Return false to stop: the work then ends with
/// Error{interrupted}, or with its best result so far where it says so. An empty function is
/// allowed.
using Progress = std::function<bool(const ProgressEvent&)>;

}  // namespace rankine
