// Products of rows of a CSR matrix with double vectors.
#pragma once

#include <cstdint>
#include <span>

#include <rankine/dataset.hpp>

namespace rankine {

/// out[r] = row (first + r) . vector.
void row_products(const CsrMatrix& matrix, std::int64_t first, std::span<const double> vector,
                  std::span<double> out);

/// out += sum over r of factors[r] * row (first + r).
void add_weighted_rows(const CsrMatrix& matrix, std::int64_t first, std::span<const double> factors,
                       std::span<double> out);

}  // namespace rankine
