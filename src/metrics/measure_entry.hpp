// A measure's entry in the table of measures. Each source file of this folder that computes
// measures lists its own; measure_table.cpp puts the lists together.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <rankine/metrics.hpp>

#include "metrics/ranked_query.hpp"

namespace rankine {

/// What a measure returns for a query that has nothing to measure: no relevant document, no pair.
inline constexpr double kNothingToMeasure = std::numeric_limits<double>::quiet_NaN();

/// What such a query counts.
enum class WhenEmpty {
  by_rule,   // MeasureRules::empty_queries: left out, 0 or 1
  zero,      // the measure's formula gives 0: left out under `skip`, else 0
  left_out,  // always left out
};

/// What a measure must know of other queries.
enum class Needs { nothing, max_grade };

/// One query's value. `k` is Measure::kNoCut where the user gave none. Pure.
using MeasureFunction = double (*)(const RankedQuery& query, const MeasureRules& rules,
                                   std::int64_t k);

struct MeasureEntry {
  std::string_view name;
  CutOff cut_off;
  WhenEmpty when_empty;
  MeasureFunction value;
  std::string_view help;
  Needs needs = Needs::nothing;
};

}  // namespace rankine
