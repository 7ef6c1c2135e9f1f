// Matrices in a model file, dense or sparse. What is read keeps every promise of FeatureMatrix.
#pragma once

#include <string_view>
#include <vector>

#include <rankine/dataset.hpp>

#include "models/file/sections.hpp"

namespace rankine {

/// Sections NAME.rows, .columns and .values; of a sparse matrix .offsets and .indices as well.
void save_matrix(const FeatureMatrix& matrix, const std::string& name, SectionWriter& writer);

/// Throws DamagedModel where sizes contradict each other or the values are not finite.
FeatureMatrix load_matrix(const SectionReader& reader, const std::string& name);

/// A matrix of these parts. Throws DamagedModel naming `name` unless they make one.
DenseMatrix dense_matrix(std::int64_t num_rows, std::int64_t num_columns, std::vector<float> values,
                         const std::string& name);
CsrMatrix sparse_matrix(std::int64_t num_rows, std::int64_t num_columns,
                        std::vector<std::int64_t> offsets, std::vector<std::uint32_t> columns,
                        std::vector<float> values, const std::string& name);

}  // namespace rankine
