// CSV with a header line to a Dataset: columns named by the options are grades, query ids and
// weights, all others features. docs/formats/csv.md says exactly what is read.
#pragma once

#include <span>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

namespace rankine {

/// Reads `text`, the uncompressed content of what messages call `source_name`. Throws Error{data}:
/// "file:line:column: ...", the first mistake in the file. The result does not depend on
/// options.threads. Peak memory: the result, and with automatic storage the dense matrix too.
Dataset read_csv(const std::string& source_name, std::span<const char> text,
                 const ReadOptions& options, const Progress& progress = {});

}  // namespace rankine
