// Choosing one model of a path by how well it ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/metrics.hpp"
#include "rankine/train.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Which model of a path is best, and what it is judged by.
struct PathChoice {
  std::size_t best = 0;
  std::vector<double> means;  // of the measure, for each model
};

/// By the models' scores of `valid`. Of equal means the first.
RANKINE_API PathChoice choose_by_validation(const RlsPath& path, const Dataset& valid,
                                            const Measure& measure, const MeasureRules& rules,
                                            int threads = 0);
/// By the scores that leave each query out, of `data` that the path was trained on. Requires:
/// path.leave_query_out.
RANKINE_API PathChoice choose_by_leave_query_out(const RlsPath& path, const Dataset& data,
                                                 const Measure& measure, const MeasureRules& rules,
                                                 int threads = 0);

/// The chosen model, its report telling of the whole path. `judged_by`: "ndcg@10 by
/// leave-query-out".
RANKINE_API TrainResult take_choice(const RlsPath& path, const PathChoice& choice,
                                    const std::string& judged_by);

}  // namespace rankine
