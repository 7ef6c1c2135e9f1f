// Training from Python, with the interpreter's lock released.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_training(nanobind::module_& module);

}  // namespace rankine::python
