// The conventions in use, each as its own tool computes it (docs/measures.md); declared in
// include/rankine/metrics.hpp.
#include <rankine/metrics.hpp>

namespace rankine {

MeasureRules measure_rules(Convention convention) {
  MeasureRules rules;
  switch (convention) {
    case Convention::rankine:
      break;
    case Convention::letor:
      rules.discount = Discount::letor;
      rules.ties = Ties::input_order;
      rules.empty_queries = EmptyQueries::zero;
      rules.short_lists = ShortLists::zero;
      break;
    case Convention::lightgbm:
      rules.ties = Ties::input_order;
      rules.empty_queries = EmptyQueries::one;
      break;
    case Convention::xgboost:
      rules.ties = Ties::input_order;
      rules.empty_queries = EmptyQueries::one;
      rules.score_precision = ScorePrecision::single;
      break;
    case Convention::trec:
      rules.gain = Gain::linear;
      rules.ties = Ties::document_id;
      rules.empty_queries = EmptyQueries::zero;
      rules.short_lists = ShortLists::pad;
      rules.map_divisor = MapDivisor::relevant;
      rules.score_precision = ScorePrecision::single;
      break;
    case Convention::sklearn:
      rules.gain = Gain::linear;
      rules.empty_queries = EmptyQueries::zero;
      break;
  }
  return rules;
}

}  // namespace rankine
