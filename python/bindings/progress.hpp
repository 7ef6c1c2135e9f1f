// Long work seen from Python: signals are looked at and the callback is called now and then, with
// the interpreter's lock taken only for that.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>

#include <rankine/error.hpp>
#include <rankine/progress.hpp>

namespace rankine::python {

namespace nb = nanobind;

/// Thrown through the library where Python code that it called has raised; the exception itself is
/// kept by PythonProgress.
struct RaisedInPython {};

/// Stops the work when Python has a signal (Ctrl-C), when the callback returns False, or when it
/// raises; what was raised is kept for the caller. Lives as long as the work it watches.
class PythonProgress {
 public:
  /// `callback` (stage, done, total, unit, phase, objective, measure) may be None.
  explicit PythonProgress(nb::object callback) : callback_(std::move(callback)) {}

  /// work(progress), with the interpreter's lock released. Where it ends with Error{interrupted},
  /// throws what Python raised, or RuntimeError when the callback returned False.
  template <class Work>
  auto run(const Work& work) {
    try {
      const nb::gil_scoped_release unlocked;
      return work(Progress([this](const ProgressEvent& event) { return go_on(event); }));
    } catch (const RaisedInPython&) {
      throw_raised();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw_raised();
      throw;
    }
  }
  /// The exception that stopped the work, or None.
  const nb::object& raised() const { return raised_; }

  /// Keeps the first exception; the work is stopped at its next look. The caller has the
  /// interpreter's lock.
  void keep(const nb::python_error& error);

 private:
  bool go_on(const ProgressEvent& event);
  [[noreturn]] void throw_raised() const;

  nb::object callback_;
  std::thread::id thread_ = std::this_thread::get_id();
  nb::object raised_ = nb::none();
  std::atomic<bool> has_raised_ = false;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace rankine::python
