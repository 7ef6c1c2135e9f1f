// What rankine/write.hpp promises, with the number of threads for tests and benchmarks to choose.
#pragma once

#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

namespace rankine {

/// write_dataset with `threads` workers; the bytes do not depend on them.
void write_dataset_with(const std::string& path, const Dataset& data, DataFormat format,
                        int threads, const Progress& progress);

}  // namespace rankine
