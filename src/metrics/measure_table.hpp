// The table of all measures, and how one is found by name.
#pragma once

#include <string_view>
#include <vector>

#include "metrics/measure_entry.hpp"

namespace rankine {

/// In the order of the documentation.
const std::vector<MeasureEntry>& measure_table();

/// Throws Error{option} that lists the names and suggests the nearest.
const MeasureEntry& measure_named(std::string_view name);

/// A query's value with `rules.empty_queries` applied; NaN where the query is left out.
double value_of(const MeasureEntry& entry, const RankedQuery& query, const MeasureRules& rules,
                std::int64_t k);

}  // namespace rankine
