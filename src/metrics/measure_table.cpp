// The table is put together from the lists of the source files of this folder.
#include "metrics/measure_table.hpp"

#include <cmath>
#include <span>

#include "metrics/binary_relevance.hpp"
#include "metrics/discounted_gain.hpp"
#include "metrics/expected_reciprocal_rank.hpp"
#include "metrics/pair_accuracy.hpp"
#include "metrics/rank_correlation.hpp"

namespace rankine {

const std::vector<MeasureEntry>& measure_table() {
  static const std::vector<MeasureEntry> table = [] {
    std::vector<MeasureEntry> entries;
    for (const auto group : {discounted_gain_measures(), binary_relevance_measures(),
                             expected_reciprocal_rank_measures(), pair_accuracy_measures(),
                             rank_correlation_measures()}) {
      entries.insert(entries.end(), group.begin(), group.end());
    }
    return entries;
  }();
  return table;
}

const MeasureEntry& measure_named(std::string_view name) {
  for (const MeasureEntry& entry : measure_table()) {
    if (entry.name == name) return entry;
  }
  std::vector<std::string_view> names;
  for (const MeasureEntry& entry : measure_table()) names.push_back(entry.name);
  throw_unknown_choice("measures", name, names);
}

double value_of(const MeasureEntry& entry, const RankedQuery& query, const MeasureRules& rules,
                std::int64_t k) {
  const double value = entry.value(query, rules, k);
  const bool left_out =
      entry.when_empty == WhenEmpty::left_out || rules.empty_queries == EmptyQueries::skip;
  if (!std::isnan(value) || left_out) return value;
  const bool one =
      entry.when_empty == WhenEmpty::by_rule && rules.empty_queries == EmptyQueries::one;
  return one ? 1 : 0;
}

}  // namespace rankine
