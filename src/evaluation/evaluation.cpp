// The sums of Evaluation; declared in include/rankine/evaluate.hpp.
#include <cmath>
#include <limits>
#include <utility>

#include <rankine/evaluate.hpp>

#include "base/contract.hpp"
#include "metrics/measure_table.hpp"

namespace rankine {

Evaluation::Evaluation(std::vector<Measure> measures, const MeasureRules& rules)
    : measures_(std::move(measures)), rules_(rules), sums_(measures_.size()) {
  validate(rules_);
  for (const Measure& measure : measures_) {
    if (measure_named(measure.name).needs == Needs::max_grade && rules_.max_grade <= 0) {
      throw Error(ErrorKind::option, "max_grade = " + real_text(rules_.max_grade) + ": " +
                                         measure.name + " needs the largest grade, above 0");
    }
  }
}

std::vector<double> Evaluation::add(const QueryRanking& query, double weight) {
  auto values = measure_query(query, measures_, rules_);
  add_values(values, weight);
  return values;
}

void Evaluation::add_values(std::span<const double> values, double weight) {
  RANKINE_ASSERT(values.size() == sums_.size());
  RANKINE_ASSERT(weight >= 0 && std::isfinite(weight));
  for (std::size_t index = 0; index < values.size(); ++index) {
    Sum& sum = sums_[index];
    if (std::isnan(values[index])) {
      ++sum.num_left_out;
      continue;
    }
    sum.values += weight * values[index];
    sum.weights += weight;
    ++sum.num_queries;
  }
}

std::vector<MeasureMean> Evaluation::means() const {
  std::vector<MeasureMean> means;
  for (std::size_t index = 0; index < sums_.size(); ++index) {
    const Sum& sum = sums_[index];
    const double mean =
        sum.weights > 0 ? sum.values / sum.weights : std::numeric_limits<double>::quiet_NaN();
    means.push_back({measures_[index], mean, sum.num_queries, sum.num_left_out});
  }
  return means;
}

}  // namespace rankine
