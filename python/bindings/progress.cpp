#include "progress.hpp"

#include <stdexcept>

#include <nanobind/stl/string_view.h>

namespace rankine::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

}  // namespace

bool PythonProgress::go_on(const ProgressEvent& event) {
  if (has_raised_) return false;
  const auto now = std::chrono::steady_clock::now();
  const bool may_see_signals = std::this_thread::get_id() == thread_;
  if (callback_.is_none() && (!may_see_signals || now - looked_ < kBetweenLooks)) return true;
  looked_ = now;
  const nb::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (callback_.is_none()) return true;
    const nb::object answer = callback_(event.stage, event.done, event.total, event.unit,
                                        event.phase, event.objective, event.measure);
    return !answer.is(nb::bool_(false));
  } catch (const nb::python_error& error) {
    keep(error);
    return false;
  }
}

void PythonProgress::keep(const nb::python_error& error) {
  if (has_raised_.exchange(true)) return;
  raised_ = nb::borrow(error.value());
}

void PythonProgress::throw_raised() const {
  if (raised_.is_none())
    throw std::runtime_error("stopped by the callback before there was a model");
  PyErr_SetObject(raised_.type().ptr(), raised_.ptr());
  throw nb::python_error();
}

}  // namespace rankine::python
