// Data sets from NumPy's arrays and from files.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_dataset(nanobind::module_& module);

}  // namespace rankine::python
