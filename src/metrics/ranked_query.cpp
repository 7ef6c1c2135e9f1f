// One sort by score serves all measures of a query. Ties are marked by where each run of equal
// scores ends, and a second sort, by grade, gives the ideal ranking.
#include "metrics/ranked_query.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <rankine/error.hpp>

namespace rankine {
namespace {

void check(bool good, const char* problem) {
  if (!good) throw Error(ErrorKind::data, problem);
}

void check_query(const QueryRanking& query, const MeasureRules& rules) {
  const auto is_nan = [](double value) { return std::isnan(value); };
  check(query.scores.size() == query.grades.size(), "a query has not as many scores as grades");
  check(query.scores.size() <= std::numeric_limits<std::uint32_t>::max(),
        "a query has more than 4294967295 documents");
  check(std::none_of(query.scores.begin(), query.scores.end(), is_nan), "a score is not a number");
  check(std::none_of(query.grades.begin(), query.grades.end(), is_nan) &&
            std::none_of(query.missing_grades.begin(), query.missing_grades.end(), is_nan),
        "a grade is not a number");
  check(rules.ties != Ties::document_id || query.document_ids.size() == query.scores.size(),
        "ties = document_id needs document ids, and the documents have none");
}

struct ScoredDocument {
  double score;
  std::uint32_t document;
};

std::vector<ScoredDocument> documents_by_score(const QueryRanking& query,
                                               const MeasureRules& rules) {
  std::vector<ScoredDocument> order(query.scores.size());
  for (std::size_t document = 0; document < order.size(); ++document) {
    const double score = query.scores[document];
    order[document] = {
        rules.score_precision == ScorePrecision::single ? static_cast<float>(score) : score,
        static_cast<std::uint32_t>(document)};
  }
  if (rules.ties == Ties::document_id) {
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      if (a.score != b.score) return a.score > b.score;
      const int ids = query.document_ids[a.document].compare(query.document_ids[b.document]);
      return ids != 0 ? ids > 0 : a.document < b.document;
    });
  } else {
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.score != b.score ? a.score > b.score : a.document < b.document;
    });
  }
  return order;
}

}  // namespace

RankedQuery rank_query(const QueryRanking& query, const MeasureRules& rules) {
  check_query(query, rules);
  const auto order = documents_by_score(query, rules);
  RankedQuery ranked;
  ranked.averaged = rules.ties == Ties::averaged;
  ranked.grades.reserve(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    ranked.grades.push_back(query.grades[order[rank].document]);
    if (rank + 1 == order.size() || order[rank + 1].score != order[rank].score) {
      ranked.tie_ends.push_back(static_cast<std::uint32_t>(rank + 1));
    }
  }
  ranked.ideal = ranked.grades;
  ranked.ideal.insert(ranked.ideal.end(), query.missing_grades.begin(), query.missing_grades.end());
  std::sort(ranked.ideal.begin(), ranked.ideal.end(), std::greater<>());
  return ranked;
}

}  // namespace rankine
