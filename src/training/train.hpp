// train and train_path as declared in rankine/train.hpp, which take from a cache what earlier
// trainings on the same documents left there, and leave what they made. The cache may be null.
#pragma once

#include <rankine/train.hpp>

#include "problem/training_cache.hpp"

namespace rankine {

TrainResult train(const Dataset& data, const TrainOptions& options, const Progress& progress,
                  TrainingCache* cache);
std::vector<TrainResult> train_path(const Dataset& data, const TrainOptions& options,
                                    std::span<const double> values, const Progress& progress,
                                    TrainingCache* cache);

/// The bytes that trainings on `data` leave of what they may take, `at_once` of them side by side.
/// Negative where they need more than there is.
double spare_memory(const Dataset& data, const TrainOptions& options, int at_once);

}  // namespace rankine
