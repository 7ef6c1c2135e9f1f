// Feature maps on their own, for other learners, and the terms that scores are sums of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/feature_map.hpp"
#include "rankine/model.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// What the weights of a model multiply, one row per document: score = sum over j of weights[j] *
/// terms[j]. Linear: the scaled features; kernel: the kernel values with its landmarks; random
/// features: their cosines or ReLUs. Costs as much as scoring.
RANKINE_API DenseMatrix scoring_terms(const Model& model, const Dataset& documents,
                                      int threads = 0);

/// A map phi with phi(x) . phi(z) close to the kernel k(x, z):  phi(x) = mixing * terms(x).
struct FittedMap {
  Model terms;  // a model with these terms; its weights are 1
  std::int64_t num_components = 0;
  /// num_components x (number of terms), row-major; or one factor per term where phi mixes
  /// nothing.
  std::vector<double> mixing;

  bool operator==(const FittedMap&) const = default;
};

/// Fits the map that `options` describe on the documents of `data`, unscaled. terms.report.map says
/// what it turned out to be. Throws Error{option} without an approximation, and for what does not
/// exist. The same data, options and seed give the same bits for any number of threads.
RANKINE_API FittedMap fit_map(const Dataset& data, const FeatureMapOptions& options,
                              std::uint64_t seed = 1, int threads = 0);

/// Throws Error{data} naming `name` unless the numbers of components, terms and factors agree.
RANKINE_API void check_map(const FittedMap& map, const std::string& name);

/// phi of every document.
RANKINE_API DenseMatrix map_features(const FittedMap& map, const Dataset& documents,
                                     int threads = 0);

}  // namespace rankine
