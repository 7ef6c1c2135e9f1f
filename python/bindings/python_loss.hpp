// A loss written in Python: the library calls it for one query after the other, from any of its
// threads, and the interpreter's lock is taken for the call alone.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include <rankine/loss.hpp>

#include "progress.hpp"

namespace rankine::python {

namespace nb = nanobind;

/// What Python raises in a call is kept by `progress` and leaves the library as RaisedInPython;
/// Ctrl-C alone has the call made again, so that training ends as it always does, with the best
/// weights so far. Lives as long as both.
class PythonLoss final : public QueryLoss {
 public:
  /// `description` is what python/rankine/loss.py makes of the user's loss: name, gradient (scores,
  /// grades, weights or None -> value, gradient), hessian_times (scores, grades, weights or None,
  /// direction -> product) or None.
  PythonLoss(const nb::object& description, PythonProgress& progress);

  std::string_view name() const override { return name_; }
  double gradient(const QueryDocuments& query, const QueryPoint& point,
                  std::span<double> out) const override;
  bool has_hessian() const override { return !hessian_times_.is_none(); }
  void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override;

 private:
  void call(const std::function<void()>& work) const;

  std::string name_;
  nb::object gradient_;
  nb::object hessian_times_;
  PythonProgress& progress_;
};

}  // namespace rankine::python
