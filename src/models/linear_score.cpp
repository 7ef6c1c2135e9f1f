// Scoring with a model, declared in include/rankine/model.hpp. For linear functions a scaling that
// is a shift and a factor folds into the weights, so rows are read as they are; otherwise a scaled
// copy is made.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/model.hpp>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "compute/query_rows.hpp"
#include "features/kernel.hpp"
#include "models/kernel_score.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 4096;

bool is_affine(Scaling kind) {
  return kind == Scaling::none || kind == Scaling::standard || kind == Scaling::minmax;
}

/// weights[f] * factor[f] by column, and what the shifts take off every score.
struct FoldedWeights {
  std::vector<double> weights;
  double offset = 0;
};

FoldedWeights fold(const LinearFunction& function, const FeatureScaling& scaling) {
  FoldedWeights folded{function.weights, 0};
  if (scaling.kind == Scaling::none) return folded;
  for (std::size_t f = 0; f < folded.weights.size(); ++f) {
    folded.weights[f] *= scaling.factor[f];
    folded.offset += folded.weights[f] * scaling.shift[f];
  }
  return folded;
}

/// The columns the function sees. Those the data lacks at its end count as 0 by being left out.
Dataset visible(const Dataset& data, const Model& model) {
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

/// Rows may be shorter than the weights: the rest of the features is 0.
std::vector<double> products(const Dataset& data, std::vector<double> weights, double offset,
                             int threads) {
  weights.resize(static_cast<std::size_t>(data.num_features()));
  const std::int64_t num_rows = data.num_documents();
  std::vector<double> scores(static_cast<std::size_t>(num_rows));
  parallel_for((num_rows + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto count = static_cast<std::size_t>(std::min(kBlockRows, num_rows - first));
    const auto out = std::span(scores).subspan(static_cast<std::size_t>(first), count);
    QueryRows(data.features, first).products(weights, out);
    for (double& score : out) score -= offset;
  });
  return scores;
}

}  // namespace

std::int64_t Model::num_features() const {
  if (const auto* linear = std::get_if<LinearFunction>(&function)) {
    return static_cast<std::int64_t>(linear->weights.size());
  }
  if (const auto* kernel = std::get_if<KernelFunction>(&function)) {
    return num_columns(kernel->landmarks);
  }
  return std::get<RandomFunction>(function).frequencies.num_columns;
}

std::vector<double> Model::raw_weights() const {
  if (!is_linear()) {
    throw Error(ErrorKind::option,
                "a model with a kernel or a feature map has no weights of features");
  }
  if (!is_affine(scaling.kind)) {
    throw Error(ErrorKind::option, "scaling = '" + std::string(name_of(scaling.kind)) +
                                       "' has no weights for unscaled features");
  }
  return fold(std::get<LinearFunction>(function), scaling).weights;
}

std::vector<double> Model::score(const Dataset& documents, int threads,
                                 const Progress& progress) const {
  if (progress) {
    try {
      const InterruptionScope scope([&] {
        return !progress({"scoring", 0, documents.num_documents(), "documents"});
      });
      return score(documents, threads);
    } catch (const Interrupted&) {
      throw Error(ErrorKind::interrupted, documents.source + ": scoring was ended by its caller");
    }
  }
  const Dataset seen = visible(documents, *this);
  if (const auto* linear = std::get_if<LinearFunction>(&function)) {
    if (is_affine(scaling.kind)) {
      const FoldedWeights folded = fold(*linear, scaling);
      return products(seen, folded.weights, folded.offset, threads);
    }
    return products(apply_scaling(seen, scaling, threads), linear->weights, 0, threads);
  }
  const Dataset scaled =
      scaling.kind == Scaling::none ? seen : apply_scaling(seen, scaling, threads);
  if (const auto* kernel = std::get_if<KernelFunction>(&function)) {
    return function_scores(*kernel, scaled.features, threads);
  }
  return function_scores(std::get<RandomFunction>(function), scaled.features, threads);
}

}  // namespace rankine
