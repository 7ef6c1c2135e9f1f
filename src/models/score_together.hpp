// Scores of several models at once: models that see the same scaled rows share them, and those of
// one map or kernel, such as a path over C leaves, share every block of kernel values.
#pragma once

#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>

#include "features/kernel_product_cache.hpp"

namespace rankine {

/// Model::score of each, the same bits. `kept`, where it is given, must hold the scaled_rows of
/// every one of the models that is not linear. Cost: kernel values once, and a product with the
/// weights for each model.
std::vector<std::vector<double>> score_together(std::span<const Model* const> models,
                                                const Dataset& documents, int threads,
                                                KernelProductCache* kept = nullptr);

/// The rows that the function of a model sees of documents.
FeatureMatrix scaled_rows(const Model& model, const Dataset& documents, int threads);

}  // namespace rankine
