// Scores by functions that are not linear: blocks of kernel values or random features, times their
// weights. The same bits however the rows are cut.
#pragma once

#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>

namespace rankine {

/// The scores of scaled rows.
std::vector<double> function_scores(const KernelFunction& function, const FeatureMatrix& rows,
                                    int threads);
std::vector<double> function_scores(const RandomFunction& function, const FeatureMatrix& rows,
                                    int threads);

/// What the weights multiply, a row of them a row.
DenseMatrix function_terms(const KernelFunction& function, const FeatureMatrix& rows, int threads);
DenseMatrix function_terms(const RandomFunction& function, const FeatureMatrix& rows, int threads);

}  // namespace rankine
