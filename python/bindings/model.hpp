// Models: their numbers as NumPy arrays, their scores, their files and bytes.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_model(nanobind::module_& module);

}  // namespace rankine::python
