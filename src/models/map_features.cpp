// A fitted FeatureMap can fold any weights into a function of x. Folding the unit vectors one by
// one gives the rows of its mixing, so every map is known by what models are made of: terms and
// numbers.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/map_features.hpp>
#include <rankine/version.hpp>

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "base/system/growing_array.hpp"
#include "compute/query_rows.hpp"
#include "features/feature_map.hpp"
#include "models/kinds/registry.hpp"
#include "models/model_columns.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 96;

/// Row c holds the weights of the function x -> component c of phi(x).
std::vector<double> mixing_of(const FeatureMap& map, std::size_t num_terms) {
  const auto num_components = static_cast<std::size_t>(map.num_components());
  std::vector<double> mixing;
  mixing.reserve(num_components * num_terms);
  std::vector<double> unit(num_components);
  for (std::size_t component = 0; component < num_components; ++component) {
    unit[component] = 1;
    ScoringFunction folded = map.fold(unit);
    unit[component] = 0;
    const std::vector<double>& row = *folded.weights();
    mixing.insert(mixing.end(), row.begin(), row.end());
  }
  return mixing;
}

/// Whether components are terms times a factor each. With one component of one term both readings
/// give the same.
bool has_factors(const FittedMap& map) {
  const auto num_components = static_cast<std::size_t>(map.num_components);
  return map.terms.function.weights()->size() == num_components &&
         map.mixing.size() == num_components && num_components != 1;
}

void scale_columns(const DenseMatrix& terms, std::span<const double> factors, float* out) {
  for (std::size_t k = 0; k < terms.values.size(); ++k) {
    out[k] = static_cast<float>(static_cast<double>(terms.values[k]) * factors[k % factors.size()]);
  }
}

void mix(const DenseMatrix& terms, std::span<const double> mixing, std::int64_t num_components,
         int threads, float* out) {
  const auto num_terms = static_cast<std::size_t>(terms.num_columns);
  parallel_for((terms.num_rows + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto count = static_cast<std::size_t>(std::min(kBlockRows, terms.num_rows - first));
    std::vector<double> column(count);
    for (std::int64_t component = 0; component < num_components; ++component) {
      const auto row = mixing.subspan(static_cast<std::size_t>(component) * num_terms, num_terms);
      QueryRows(terms.row(first).data()).products(row, column);
      for (std::size_t r = 0; r < count; ++r) {
        out[(first + static_cast<std::int64_t>(r)) * num_components + component] =
            static_cast<float>(column[r]);
      }
    }
  });
}

}  // namespace

DenseMatrix scoring_terms(const Model& model, const Dataset& documents, int threads) {
  const bool by_position =
      model.columns.empty() && !matches_by_name(model, documents.feature_names);
  if (by_position && documents.num_features() != model.num_features()) {
    throw Error(ErrorKind::data,
                documents.source + " has " + std::to_string(documents.num_features()) +
                    " features and the model " + std::to_string(model.num_features()));
  }
  return kind_of(model.function).terms(model.function, ModelRows(model, documents, threads));
}

FittedMap fit_map(const Dataset& data, const FeatureMapOptions& options, std::uint64_t seed,
                  int threads) {
  validate(options);
  if (options.approximation == Approximation::none) {
    throw Error(ErrorKind::option,
                "approximation = 'none' has no map; take nystroem, fourier or relu");
  }
  if (data.num_documents() == 0) throw Error(ErrorKind::data, data.source + ": no documents");
  FittedMap fitted;
  Model& terms = fitted.terms;
  const auto map = fit_feature_map(options, data.features, seed, threads, terms.report.map);
  fitted.num_components = map->num_components();
  terms.function =
      map->fold(std::vector<double>(static_cast<std::size_t>(fitted.num_components), 1.0));
  std::vector<double>& weights = *terms.function.weights();
  fitted.mixing = map->mixes_terms() ? mixing_of(*map, weights.size()) : weights;
  std::fill(weights.begin(), weights.end(), 1.0);
  terms.scaling.num_features = data.num_features();
  terms.trained_on.num_features = data.num_features();
  terms.trained_on.num_documents = data.num_documents();
  terms.created_by = std::string("rankine ") + kVersion;
  return fitted;
}

void check_map(const FittedMap& map, const std::string& name) {
  const std::vector<double>* const weights = map.terms.function.weights();
  const std::size_t num_terms = weights == nullptr ? 0 : weights->size();
  const auto num_components = static_cast<std::size_t>(map.num_components);
  const bool good =
      weights != nullptr && map.num_components >= 0 &&
      (has_factors(map) || (num_terms == 0 ? map.mixing.empty()
                                           : map.mixing.size() % num_terms == 0 &&
                                                 map.mixing.size() / num_terms == num_components));
  if (!good) throw Error(ErrorKind::data, name + ": its components and factors do not agree");
}

DenseMatrix map_features(const FittedMap& map, const Dataset& documents, int threads) {
  const DenseMatrix terms = scoring_terms(map.terms, documents, threads);
  GrowingArray<float> values;
  const std::size_t size = product_or_most(static_cast<std::size_t>(terms.num_rows),
                                           static_cast<std::size_t>(map.num_components));
  require_memory(product_or_most(size, sizeof(float)), documents.source, "its mapped rows");
  values.resize(size);
  if (has_factors(map)) {
    scale_columns(terms, map.mixing, values.data());
  } else {
    mix(terms, map.mixing, map.num_components, threads, values.data());
  }
  return {terms.num_rows, map.num_components, values.finish()};
}

}  // namespace rankine
