// Which columns of some data a model's function sees. Where model and data both name their
// features, they are found by name wherever they stand; otherwise by position. Cost of a match by
// name: one look-up per name, none where all columns are in the model's order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>

namespace rankine {

/// Where model and data have names for their features.
bool matches_by_name(const Model& model, const StringList& feature_names);

/// For each column of the function, the column of data with these names. Throws Error{data},
/// naming `source` and up to five features, where the data lacks some or has one twice. Requires:
/// matches_by_name.
std::vector<std::int64_t> columns_by_name(const Model& model, const StringList& feature_names,
                                          const std::string& source);

/// The data's columns that the function sees, in its order. By position there may be fewer: those
/// that the data lacks at its end count as 0. Throws Error{data} as above, and where a model of
/// chosen columns lacks one.
Dataset visible_columns(const Dataset& data, const Model& model);

/// The names of the columns that the function sees; empty where the model has none.
std::vector<std::string> seen_feature_names(const Model& model);

}  // namespace rankine
