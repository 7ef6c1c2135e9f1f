#include "python_loss.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"

namespace rankine::python {
namespace {

// Python code may keep what it is given, and the library's memory does not live so long: copies.
nb::object copy_of(std::span<const double> values) {
  return numpy_of(std::vector<double>(values.begin(), values.end()));
}

nb::object grades_of(const QueryDocuments& query) {
  std::vector<double> room;
  return copy_of(query.grades.values(room));
}

nb::object weights_of(const QueryDocuments& query) {
  return query.weights.empty() ? nb::none() : copy_of(query.weights);
}

void copy_to(const nb::object& values, std::span<double> out) {
  const auto array = nb::cast<Input<double>>(values);
  if (array.size() != out.size()) throw nb::value_error("a loss gave an array of another length");
  std::copy(array.data(), array.data() + array.size(), out.begin());
}

}  // namespace

PythonLoss::PythonLoss(const nb::object& description, PythonProgress& progress)
    : name_(nb::cast<std::string>(description.attr("name"))),
      gradient_(description.attr("gradient")),
      hessian_times_(description.attr("hessian_times")),
      progress_(progress) {}

double PythonLoss::gradient(const QueryDocuments& query, const QueryPoint& point,
                            std::span<double> out) const {
  double value = 0;
  call([&] {
    const nb::object answer = gradient_(copy_of(point.scores), grades_of(query), weights_of(query));
    value = nb::cast<double>(answer[0]);
    copy_to(answer[1], out);
  });
  return value;
}

void PythonLoss::hessian_times(const QueryDocuments& query, const QueryPoint& point,
                               std::span<const double> direction, std::span<double> out) const {
  call([&] {
    copy_to(hessian_times_(copy_of(point.scores), grades_of(query), weights_of(query),
                           copy_of(direction)),
            out);
  });
}

void PythonLoss::call(const std::function<void()>& work) const {
  const nb::gil_scoped_acquire lock;
  try {
    try {
      work();
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      progress_.keep(error);
      work();
    }
  } catch (const nb::python_error& error) {
    progress_.keep(error);
    throw RaisedInPython{};
  }
}

}  // namespace rankine::python
