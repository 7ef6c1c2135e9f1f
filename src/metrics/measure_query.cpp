// All measures of one query share one sort; declared in include/rankine/metrics.hpp.
#include <rankine/metrics.hpp>

#include "metrics/measure_table.hpp"

namespace rankine {

std::vector<double> measure_query(const QueryRanking& query, std::span<const Measure> measures,
                                  const MeasureRules& rules) {
  const RankedQuery ranked = rank_query(query, rules);
  std::vector<double> values;
  values.reserve(measures.size());
  for (const Measure& measure : measures) {
    values.push_back(value_of(measure_named(measure.name), ranked, rules, measure.k));
  }
  return values;
}

}  // namespace rankine
