// Writing data sets. A file appears under its name only when it is complete.
#pragma once

#include <string>

#include "rankine/dataset.hpp"
#include "rankine/progress.hpp"
#include "rankine/read.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Writes `data` to `path` ("-": standard output), in the input's row order. `automatic` goes by
/// the name: .rkd is the cache, .csv CSV, anything else LETOR text; .gz and .zst compress text.
/// Reading the result gives the same data set, bit for bit.
RANKINE_API void write_dataset(const std::string& path, const Dataset& data,
                               DataFormat format = DataFormat::automatic,
                               const Progress& progress = {});

}  // namespace rankine
