#include "models/kinds/linear_kind.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "compute/query_rows.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 4096;

/// Weights of unscaled features.
struct FoldedWeights {
  std::vector<double> weights;
  double offset = 0;  // taken off every score
};

FoldedWeights folded(const LinearFunction& function, const FeatureScaling& scaling) {
  FoldedWeights folded{function.weights, 0};
  if (!is_affine(scaling.kind) || scaling.kind == Scaling::none) return folded;
  for (std::size_t f = 0; f < folded.weights.size(); ++f) {
    folded.weights[f] *= scaling.factor[f];
    folded.offset += folded.weights[f] * scaling.shift[f];
  }
  return folded;
}

DenseMatrix dense_copy(const CsrMatrix& matrix, const std::string& source) {
  const std::size_t size = product_or_most(static_cast<std::size_t>(matrix.num_rows),
                                           static_cast<std::size_t>(matrix.num_columns));
  require_memory(product_or_most(size, sizeof(float)), source, "its rows, stored dense,");
  std::vector<float> values(size);
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    const auto first = static_cast<std::size_t>(row * matrix.num_columns);
    for (auto entry = matrix.offsets[at]; entry < matrix.offsets[at + 1]; ++entry) {
      const auto k = static_cast<std::size_t>(entry);
      values[first + matrix.columns[k]] = matrix.values[k];
    }
  }
  return {matrix.num_rows, matrix.num_columns, std::move(values)};
}

}  // namespace

ScoresByFunction LinearKind::scores(ScoringFunctions functions, const ModelRows& rows) const {
  const FeatureMatrix features =
      is_affine(rows.scaling().kind) ? rows.unscaled().features : rows.scaled_anew();
  const std::int64_t num_columns =
      std::visit([](const auto& matrix) { return matrix.num_columns; }, features);
  const std::int64_t num_rows = rows.num_rows();
  std::vector<FoldedWeights> all;
  for (const ScoringFunction* function : functions) {
    all.push_back(folded(as(*function), rows.scaling()));
    // Rows may be shorter than the weights: the rest of the features is 0.
    all.back().weights.resize(static_cast<std::size_t>(num_columns));
  }
  ScoresByFunction scores(all.size(), std::vector<double>(static_cast<std::size_t>(num_rows)));
  const std::int64_t num_blocks = (num_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(num_blocks, rows.threads(), [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto count = static_cast<std::size_t>(std::min(kBlockRows, num_rows - first));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto out = std::span(scores[k]).subspan(static_cast<std::size_t>(first), count);
      QueryRows(features, first).products(all[k].weights, out);
      for (double& score : out) score -= all[k].offset;
    }
  });
  return scores;
}

void LinearKind::save(const ScoringFunction& function, SectionWriter& writer) const {
  writer.numbers("weights", as(function).weights);
}

ScoringFunction LinearKind::load(const SectionReader& reader) const {
  return LinearFunction{reader.finite_doubles("weights")};
}

FunctionDescription LinearKind::describe(const ScoringFunction& /*function*/) const {
  return {.kind = "linear", .summary = "linear", .weights_are_of_columns = true, .details = {}};
}

DenseMatrix LinearKind::terms(const ScoringFunction& /*function*/, const ModelRows& rows) const {
  const FeatureMatrix scaled = rows.scaled_anew();
  const auto* dense = std::get_if<DenseMatrix>(&scaled);
  return dense != nullptr ? *dense : dense_copy(std::get<CsrMatrix>(scaled), "data");
}

}  // namespace rankine
