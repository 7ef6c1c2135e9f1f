// The extension module rankine._core: what the Python package calls. Users see the package.
#include <exception>

#include <nanobind/nanobind.h>

#include <rankine/error.hpp>
#include <rankine/program.hpp>
#include <rankine/version.hpp>

#include "dataset.hpp"
#include "evaluation.hpp"
#include "feature_map.hpp"
#include "model.hpp"
#include "option_texts.hpp"
#include "training.hpp"

namespace {

PyObject* python_type(rankine::ErrorKind kind) {
  switch (kind) {
    case rankine::ErrorKind::io:
      return PyExc_OSError;
    case rankine::ErrorKind::device:
      return PyExc_RuntimeError;
    case rankine::ErrorKind::interrupted:
      return PyExc_KeyboardInterrupt;
    default:
      return PyExc_ValueError;
  }
}

/// Our errors become Python's, with the same text.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const rankine::Error& error) {
    PyErr_SetString(python_type(error.kind()), error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  rankine::end_when_inputs_are_cut();
  nanobind::register_exception_translator(translate);
  module.attr("__version__") = rankine::kVersion;
  rankine::python::define_dataset(module);
  rankine::python::define_model(module);
  rankine::python::define_feature_map(module);
  rankine::python::define_training(module);
  rankine::python::define_evaluation(module);
  rankine::python::define_option_tables(module);
}
