// Feature maps on their own: what the transformers of the package hold.
#pragma once

#include <nanobind/nanobind.h>

namespace rankine::python {

void define_feature_map(nanobind::module_& module);

}  // namespace rankine::python
