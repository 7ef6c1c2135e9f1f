// Scores for the documents of a data set: from a file, or from one of its features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Reads a score file ("-": standard input; plain, gz or zst): a number a line, in the order of the
/// data's rows. Blank lines and lines that start with # are passed over. Returns the scores by
/// document of `data`. Throws Error{data}: "scores.txt:7: 'abc' is not a number".
RANKINE_API std::vector<double> read_scores(const std::string& path, const Dataset& data);

/// The values of feature `column`, from 0, by document. Throws Error{option} when there is none.
RANKINE_API std::vector<double> feature_scores(const Dataset& data, std::int64_t column);

}  // namespace rankine
