// The parts of read_dataset: which reader an input needs, and reading what is open already.
#pragma once

#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"

namespace rankine {

/// By the name and the first bytes, which remain to be read.
DataFormat data_format(const std::string& path, InputBytes& input);

/// The data set in `input`, which is that of `path`, with its side files.
Dataset read_input(const std::string& path, InputBytes& input, DataFormat format,
                   const ReadOptions& options, const Progress& progress);

}  // namespace rankine
