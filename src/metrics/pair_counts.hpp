// How the pairs of a ranked query's documents stand in score and in grade. O(n log n).
#pragma once

#include <cstdint>

#include "metrics/ranked_query.hpp"

namespace rankine {

struct PairCounts {
  std::int64_t concordant = 0;   // the higher grade has the higher score
  std::int64_t discordant = 0;   // the higher grade has the lower score
  std::int64_t score_ties = 0;   // equal score, different grade
  std::int64_t grade_ties = 0;   // equal grade, different score
  std::int64_t double_ties = 0;  // equal in both

  /// Pairs of different grades: those a ranking can get right.
  std::int64_t preferences() const { return concordant + discordant + score_ties; }
};

/// Scores are equal where they are (in rules.score_precision), whatever rules.ties says.
PairCounts count_pairs(const RankedQuery& query);

}  // namespace rankine
