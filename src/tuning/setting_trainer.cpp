// A training that was stopped early has a model, but not the one its setting describes, so it is
// not recorded.
#include "tuning/setting_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>

#include "models/score_together.hpp"
#include "training/train.hpp"

namespace rankine {
namespace {

/// The columns of the matrix that training sees: features, those of a map, or a whole kernel.
std::int64_t num_columns(const FeatureMapOptions& map, const Dataset& data) {
  if (map.approximation != Approximation::none) {
    return std::max(data.num_features(), map.n_components);
  }
  return map.kernel == Kernel::linear ? data.num_features() : data.num_documents();
}

}  // namespace

std::vector<TrainResult> SettingTrainer::fit(const Dataset& data, const SettingBatch& batch,
                                             int threads, TrainingCache* kept) const {
  TrainOptions options = grid_.options(batch.settings.front());
  options.threads = threads;
  std::vector<TrainResult> results;
  try {
    if (batch.path.empty()) {
      results.push_back(train(data, options, queue_.question(), kept));
    } else {
      results = train_path(data, options, batch.path, queue_.question(), kept);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) queue_.throw_interrupted();
    throw Error(error.kind(), std::string(error.what()) + " (setting " +
                                  grid_.text(batch.settings.front()) + ")");
  }
  if (results.size() < batch.path.size()) queue_.throw_interrupted();
  for (const TrainResult& result : results) {
    if (result.report.termination == Termination::interrupted) queue_.throw_interrupted();
  }
  return results;
}

Model SettingTrainer::fit(const Dataset& data, std::size_t setting, int threads) const {
  return std::move(fit(data, SettingBatch{{setting}, {}}, threads)[0].model);
}

std::vector<double> SettingTrainer::measure(const Model& model, const Dataset& data,
                                            const std::vector<Measure>& measures,
                                            int threads) const {
  return means(data, model.score(data, threads), measures, threads);
}

std::vector<double> SettingTrainer::measure(const std::vector<TrainResult>& results,
                                            const SettingBatch& batch, const Dataset& data,
                                            const Measure& measure, int threads,
                                            TrainingCache* kept) const {
  TrainOptions options = grid_.options(batch.settings.front());
  options.threads = threads;
  std::vector<const Model*> models;
  for (const TrainResult& result : results) models.push_back(&result.model);
  std::shared_ptr<KernelProductCache> rows;
  if (kept != nullptr && shares_rows(options)) {
    rows = kept->validation(options, [&] { return scaled_rows(*models[0], data, threads); });
  }
  std::vector<double> values;
  for (const auto& scores : score_together(models, data, threads, rows.get())) {
    values.push_back(means(data, scores, {measure}, threads)[0]);
  }
  return values;
}

std::vector<double> SettingTrainer::means(const Dataset& data, std::span<const double> scores,
                                          const std::vector<Measure>& measures, int threads) const {
  const auto result = evaluate(data, scores, measures, rules_, {.threads = threads});
  std::vector<double> values;
  for (const MeasureMean& mean : result.means) {
    if (std::isnan(mean.mean)) {
      throw Error(ErrorKind::data, data.source + ": no query counts for " + mean.measure.text());
    }
    values.push_back(mean.mean);
  }
  return values;
}

double SettingTrainer::size(const Dataset& data, std::size_t setting) const {
  return static_cast<double>(num_columns(grid_.options(setting).map, data)) *
         static_cast<double>(data.num_documents());
}

}  // namespace rankine
