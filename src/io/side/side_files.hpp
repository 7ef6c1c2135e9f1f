// Side files: weights, sizes of queries, explicit pairs and feature names in files beside the data
// (docs/formats/side_files.md). All of them count rows in the order of the input.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/read.hpp>

#include "base/system/output_file.hpp"

namespace rankine {

/// Reads the files that `options` names. Where it names none, path.weight and path.query are read
/// if they exist (not for "-", nor for the cache, which holds its own). Throws Error{data} with
/// file, line and column.
void attach_side_files(Dataset& data, const std::string& path, const ReadOptions& options);

/// Writes what text in `format` cannot say about `data`: path.weight, path.preferences. They appear
/// when the caller commits them. Throws Error{data} when they cannot say it either, Error{io} when
/// path has a side file from before that would be taken for this data's.
std::vector<std::unique_ptr<OutputFile>> write_side_files(const std::string& path,
                                                          const Dataset& data, DataFormat format);

/// Text without query ids is one query, of the empty name.
bool has_query_ids(const Dataset& data);

}  // namespace rankine
