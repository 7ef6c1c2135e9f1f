// How long work reports its progress, and how the caller stops it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace rankine {

struct ProgressEvent {
  std::string_view stage;      // "reading train.txt"
  std::int64_t done = 0;       // in units; never falls within a stage
  std::int64_t total = 0;      // 0 when not known
  std::string_view unit = "";  // "bytes", "rows", "queries", "iterations"
};

/// Called now and then, from one thread at a time. Return false to stop: the work then ends with
/// Error{interrupted}, or with its best result so far where it says so. An empty function is
/// allowed.
using Progress = std::function<bool(const ProgressEvent&)>;

}  // namespace rankine
