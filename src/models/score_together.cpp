// For linear functions a scaling that is a shift and a factor folds into the weights, so rows are
// read as they are; otherwise a scaled copy is made.
#include "models/score_together.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/missing.hpp>

#include "base/parallel.hpp"
#include "compute/query_rows.hpp"
#include "models/kernel_score.hpp"
#include "models/score_groups.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 4096;

/// The columns the function sees. Those the data lacks at its end count as 0 by being left out.
Dataset selected(const Dataset& data, const Model& model) {
  if (!model.columns.empty()) {
    const auto most = *std::max_element(model.columns.begin(), model.columns.end());
    if (most < data.num_features()) return select_features(data, model.columns);
    throw Error(ErrorKind::data, data.source + ": the model uses feature " +
                                     std::to_string(most + 1) + " and the data has " +
                                     std::to_string(data.num_features()));
  }
  if (data.num_features() <= model.num_features()) return data;
  std::vector<std::int64_t> columns(static_cast<std::size_t>(model.num_features()));
  std::iota(columns.begin(), columns.end(), std::int64_t{0});
  return select_features(data, columns);
}

/// With what stands for missing values.
Dataset visible(const Dataset& data, const Model& model) {
  Dataset seen = selected(data, model);
  return model.scaling.fill.empty() ? seen : fill_missing(seen, model.scaling.fill);
}

struct LinearScores {
  std::vector<double> weights;
  double offset = 0;  // taken off every score
};

LinearScores folded(const Model& model) {
  if (!is_affine(model.scaling.kind)) return {std::get<LinearFunction>(model.function).weights, 0};
  LinearScores folded{model.raw_weights(), 0};
  if (model.scaling.kind == Scaling::none) return folded;
  for (std::size_t f = 0; f < folded.weights.size(); ++f) {
    folded.offset += folded.weights[f] * model.scaling.shift[f];
  }
  return folded;
}

/// Rows may be shorter than the weights: the rest of the features is 0.
std::vector<std::vector<double>> linear_scores(std::vector<LinearScores> functions,
                                               const FeatureMatrix& rows, std::int64_t num_rows,
                                               std::int64_t num_columns, int threads) {
  for (LinearScores& function : functions) {
    function.weights.resize(static_cast<std::size_t>(num_columns));
  }
  std::vector<std::vector<double>> scores(functions.size(),
                                          std::vector<double>(static_cast<std::size_t>(num_rows)));
  parallel_for((num_rows + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto count = static_cast<std::size_t>(std::min(kBlockRows, num_rows - first));
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const auto out = std::span(scores[k]).subspan(static_cast<std::size_t>(first), count);
      QueryRows(rows, first).products(functions[k].weights, out);
      for (double& score : out) score -= functions[k].offset;
    }
  });
  return scores;
}

bool see_the_same_rows(const Model& a, const Model& b) {
  return a.function.index() == b.function.index() && a.num_features() == b.num_features() &&
         a.columns == b.columns && a.scaling == b.scaling;
}

template <class Function>
std::vector<const Function*> functions_of(std::span<const Model* const> models) {
  std::vector<const Function*> functions;
  for (const Model* model : models) functions.push_back(&std::get<Function>(model->function));
  return functions;
}

/// The scores of models that see the same rows.
std::vector<std::vector<double>> group_scores(std::span<const Model* const> models,
                                              const Dataset& documents, int threads,
                                              KernelProductCache* kept) {
  const Model& model = *models.front();
  if (model.is_linear()) {
    Dataset seen = visible(documents, model);
    if (!is_affine(model.scaling.kind)) seen = apply_scaling(seen, model.scaling, threads);
    std::vector<LinearScores> functions;
    for (const Model* each : models) functions.push_back(folded(*each));
    return linear_scores(std::move(functions), seen.features, seen.num_documents(),
                         seen.num_features(), threads);
  }
  const FeatureMatrix rows =
      kept != nullptr ? kept->rows() : scaled_rows(model, documents, threads);
  if (std::holds_alternative<KernelFunction>(model.function)) {
    return function_scores(functions_of<KernelFunction>(models), rows, threads, kept);
  }
  return function_scores(functions_of<RandomFunction>(models), rows, threads);
}

}  // namespace

bool is_affine(Scaling kind) {
  return kind == Scaling::none || kind == Scaling::standard || kind == Scaling::minmax;
}

FeatureMatrix scaled_rows(const Model& model, const Dataset& documents, int threads) {
  const Dataset seen = visible(documents, model);
  return model.scaling.kind == Scaling::none ? seen.features
                                             : apply_scaling(seen, model.scaling, threads).features;
}

std::vector<std::vector<double>> score_together(std::span<const Model* const> models,
                                                const Dataset& documents, int threads,
                                                KernelProductCache* kept) {
  return scores_by_group(models, see_the_same_rows, [&](std::span<const Model* const> group) {
    return group_scores(group, documents, threads, kept);
  });
}

}  // namespace rankine
