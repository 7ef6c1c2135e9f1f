#include "metrics/pair_accuracy.hpp"

#include <gtest/gtest.h>

#include "oracles/naive_metrics.hpp"

namespace rankine {
namespace {

using naive::OrderedQuery;

/// Over all pairs whose winner and loser `counts` accepts.
template <class Counts>
double share_in_order(const OrderedQuery& query, Counts counts) {
  double right = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < query.size(); ++j) {
      if (!counts(query.grades[i], query.grades[j])) continue;
      ++pairs;
      if (query.scores[i] > query.scores[j]) right += 1;
      if (query.scores[i] == query.scores[j]) right += 0.5;
    }
  }
  return pairs == 0 ? naive::kNothing : right / pairs;
}

TEST(PairAccuracy, equals_the_share_over_listed_pairs) {
  naive::expect_agreement("pair_accuracy", false, [](const OrderedQuery& query) {
    return share_in_order(query, [](double winner, double loser) { return winner > loser; });
  });
}

TEST(Auc, equals_the_share_over_listed_pairs) {
  naive::expect_agreement("auc", false, [](const OrderedQuery& query) {
    const double relevant = query.rules.relevant;
    return share_in_order(query, [relevant](double winner, double loser) {
      return winner >= relevant && loser < relevant;
    });
  });
}

}  // namespace
}  // namespace rankine
