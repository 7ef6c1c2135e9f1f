// Products of a few dense float32 rows with double vectors: float storage, double sums, SIMD chosen
// for the machine at run time. Each result depends on its own row (or column) alone, so splitting
// rows between calls does not change `row_products`.
#pragma once

#include <cstdint>
#include <span>

namespace rankine {

/// out[r] = rows[r] . vector for num_rows = out.size() rows of vector.size() floats each.
void row_products(const float* rows, std::span<const double> vector, std::span<double> out);

/// out += sum over r of factors[r] * rows[r], each row out.size() floats.
void add_weighted_rows(const float* rows, std::span<const double> factors, std::span<double> out);

}  // namespace rankine
