#include "progress.hpp"

#include <stdexcept>

#include <nanobind/stl/string_view.h>

namespace rankine::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

}  // namespace

bool PythonProgress::go_on(const ProgressEvent& event) {
  const auto now = std::chrono::steady_clock::now();
  const bool may_see_signals = std::this_thread::get_id() == thread_;
  if (callback_.is_none() && (!may_see_signals || now - looked_ < kBetweenLooks)) return true;
  looked_ = now;
  const nb::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (callback_.is_none()) return true;
    const nb::object answer = callback_(event.stage, event.done, event.total, event.unit);
    return !answer.is(nb::bool_(false));
  } catch (nb::python_error& error) {
    raised_ = nb::borrow(error.value());
    return false;
  }
}

void PythonProgress::throw_raised() const {
  if (raised_.is_none())
    throw std::runtime_error("stopped by the callback before there was a model");
  PyErr_SetObject(raised_.type().ptr(), raised_.ptr());
  throw nb::python_error();
}

}  // namespace rankine::python
