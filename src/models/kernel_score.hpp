// Scores by functions that are not linear: blocks of kernel values or random features, times their
// weights. The same bits however the rows are cut.
#pragma once

#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>

#include "features/kernel_product_cache.hpp"

namespace rankine {

/// The scores of scaled rows, by function. Functions of one kernel share its values with the
/// landmarks that any of them has, and random functions of the same frequencies theirs; the bits
/// are those of each alone. `kept`, where it is given, must hold `rows`.
std::vector<std::vector<double>> function_scores(std::span<const KernelFunction* const> functions,
                                                 const FeatureMatrix& rows, int threads,
                                                 KernelProductCache* kept = nullptr);
std::vector<std::vector<double>> function_scores(std::span<const RandomFunction* const> functions,
                                                 const FeatureMatrix& rows, int threads);

/// What the weights multiply, a row of them a row.
DenseMatrix function_terms(const KernelFunction& function, const FeatureMatrix& rows, int threads);
DenseMatrix function_terms(const RandomFunction& function, const FeatureMatrix& rows, int threads);

}  // namespace rankine
