// Runs many trainings, side by side or one after the other, and stops them when the caller asks.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <string>

#include <rankine/progress.hpp>

namespace rankine {

class TrainingQueue {
 public:
  /// `threads` as in num_worker_threads. `interruption` is the message when the caller stops us.
  /// `progress` must outlive the queue.
  TrainingQueue(int threads, const Progress& progress, std::string interruption);

  /// Calls body(index, threads) for 0 .. count - 1. `size` is that of the largest, documents times
  /// columns: small ones run side by side with a thread each, where there are enough of them to
  /// keep all threads busy; otherwise each has all threads. Throws Error{interrupted}.
  void run(std::size_t count, double size, const char* stage,
           const std::function<void(std::size_t, int)>& body);
  /// What progress tells of the best setting from now on. Safe from several threads.
  void tell_measure(double best);
  /// How many trainings run() runs at the same time.
  int num_side_by_side(std::size_t count, double size) const;

  /// For the trainings inside run(): returns false once the caller asked to stop. Safe from several
  /// threads.
  Progress question();
  [[noreturn]] void throw_interrupted() const;

 private:
  bool ask();

  int workers_;
  const Progress& progress_;
  std::string interruption_;
  std::mutex mutex_;  // of what follows, and of progress_
  bool stopped_ = false;
  const char* stage_ = "";
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  double measure_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace rankine
