// Training that chooses its hyper-parameter: a path of models, judged by how well each ranks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/metrics.hpp"
#include "rankine/train.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// What the models of a path are judged by.
struct SelectOptions {
  Measure measure = {"ndcg", 10};
  MeasureRules rules = {};
  const Dataset* valid = nullptr;  // judged on these documents; null: by leave-query-out
};

/// The model that was chosen, and how the others did.
struct Selection {
  TrainResult result;  // its report tells of the whole path
  std::size_t best = 0;
  std::vector<double> values;           // of the hyper-parameter
  std::vector<double> means;            // of the measure, for each value
  std::vector<double> leave_query_out;  // of the chosen model, where they were asked for
};

/// Chooses among the models of a path by its scores of `select.valid`, or by the path's
/// leave-query-out scores of `data`, the documents it was trained on. Of equal means the first
/// counts.
RANKINE_API Selection select_from_path(const TrainPath& path, const Dataset* data,
                                       const SelectOptions& select, int threads = 0);

/// Trains all values that the options have of the method's hyper-parameter and keeps the best. With
/// one value there is nothing to choose: it is trained and, where leave-query-out was asked for or
/// `select.valid` is given, measured. Throws Error{option} where several values have nothing to be
/// judged by.
RANKINE_API Selection train_and_select(const Dataset& data, const TrainOptions& options,
                                       const SelectOptions& select, const Progress& progress = {});

}  // namespace rankine
