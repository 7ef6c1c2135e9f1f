// The scores of functions by the kind that they are of, for rows that are neither scaled nor named.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <rankine/model.hpp>

#include "features/kernel.hpp"
#include "features/kernel_product_cache.hpp"
#include "models/kinds/registry.hpp"

namespace rankine::oracles {

inline Dataset unnamed(const FeatureMatrix& rows) {
  Dataset data;
  data.source = "rows";
  data.features = rows;
  data.grades = std::vector<double>(static_cast<std::size_t>(num_rows(rows)));
  return data;
}

inline std::vector<std::vector<double>> function_scores(std::span<const ScoringFunction> functions,
                                                        const FeatureMatrix& rows, int threads,
                                                        KernelProductCache* kept = nullptr) {
  Model model;
  model.function = functions.front();
  model.scaling.num_features = functions.front().num_features();
  std::vector<const ScoringFunction*> pointers;
  for (const ScoringFunction& function : functions) pointers.push_back(&function);
  const Dataset data = unnamed(rows);
  return kind_of(functions.front()).scores(pointers, ModelRows(model, data, threads, kept));
}

inline std::vector<double> function_scores(const ScoringFunction& function,
                                           const FeatureMatrix& rows, int threads) {
  return function_scores(std::span(&function, 1), rows, threads).front();
}

}  // namespace rankine::oracles
