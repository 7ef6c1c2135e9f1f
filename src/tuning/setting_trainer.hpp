// Fits settings of a grid and measures them; what goes wrong is told with the setting.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/metrics.hpp>
#include <rankine/model.hpp>
#include <rankine/train.hpp>

#include "problem/training_cache.hpp"
#include "tuning/setting_grid.hpp"
#include "tuning/training_queue.hpp"

namespace rankine {

class SettingTrainer {
 public:
  /// All must outlive the trainer.
  SettingTrainer(const SettingGrid& grid, const MeasureRules& rules, TrainingQueue& queue)
      : grid_(grid), rules_(rules), queue_(queue) {}

  /// One result for each setting of the batch. `kept`: what trainings on `data` share; may be null.
  /// Throws Error{interrupted} when the queue was told to stop.
  std::vector<TrainResult> fit(const Dataset& data, const SettingBatch& batch, int threads,
                               TrainingCache* kept = nullptr) const;
  /// One setting, as train() alone makes it: what the same options give anyone.
  Model fit(const Dataset& data, std::size_t setting, int threads) const;
  /// One value per measure. Throws Error{data} for a measure that no query counts for.
  std::vector<double> measure(const Model& model, const Dataset& data,
                              const std::vector<Measure>& measures, int threads) const;
  /// One value for each result that fit() gave for the batch, scored together. `kept` as there, and
  /// `data` always the same with it.
  std::vector<double> measure(const std::vector<TrainResult>& results, const SettingBatch& batch,
                              const Dataset& data, const Measure& measure, int threads,
                              TrainingCache* kept = nullptr) const;
  /// Documents times the columns that the training of a setting sees: what it holds in memory.
  double size(const Dataset& data, std::size_t setting) const;

 private:
  std::vector<double> means(const Dataset& data, std::span<const double> scores,
                            const std::vector<Measure>& measures, int threads) const;

  const SettingGrid& grid_;
  const MeasureRules& rules_;
  TrainingQueue& queue_;
};

}  // namespace rankine
