// A kernel that came as data: the features of a training document are its kernel values with every
// training document, in their order. Scoring then needs the same columns, so a model is linear.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

double matrix_entry(const FeatureMatrix& matrix, std::int64_t row, std::int64_t column);

/// The kernel among some documents, row-major.
std::vector<double> precomputed_gram(const FeatureMatrix& rows,
                                     std::span<const std::int64_t> chosen);

/// The rows with column j moved to where input row j went when documents were gathered by query.
/// Throws Error{data} naming the source when the matrix is not square, not symmetric (to 1e-4 of
/// its largest entry), or not positive semi-definite (to 1e-4 of its largest eigenvalue).
FeatureMatrix checked_precomputed(const Dataset& data, int threads);

}  // namespace rankine
