// Measures of scores, by query and over all of them.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_evaluation(nanobind::module_& module);

}  // namespace rankine::python
