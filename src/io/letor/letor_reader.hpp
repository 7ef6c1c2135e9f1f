// LETOR / SVMlight text, from a file or a stream to a data set.
#pragma once

#include <cstddef>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/letor/letor_source.hpp"

namespace rankine {

/// Throws Error{data}: "train.txt:1042:17: feature index 12 after 13: indices must increase". The
/// result and the error do not depend on the number of threads, nor on `block_bytes`, the size of
/// the pieces that threads take.
Dataset read_letor_text(InputBytes& input, const ReadOptions& options, const Progress& progress,
                        std::size_t block_bytes = kTextBlockBytes);

}  // namespace rankine
