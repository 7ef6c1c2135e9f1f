#include "compute/cpu/products/sparse_products.hpp"

#include <cstddef>

namespace rankine {

void row_products(const CsrMatrix& matrix, std::int64_t first, std::span<const double> vector,
                  std::span<double> out) {
  const std::int64_t* offsets = matrix.offsets.data() + first;
  for (std::size_t r = 0; r < out.size(); ++r) {
    double total = 0;
    for (auto k = static_cast<std::size_t>(offsets[r]);
         k < static_cast<std::size_t>(offsets[r + 1]); ++k) {
      total += static_cast<double>(matrix.values[k]) * vector[matrix.columns[k]];
    }
    out[r] = total;
  }
}

void add_weighted_rows(const CsrMatrix& matrix, std::int64_t first, std::span<const double> factors,
                       std::span<double> out) {
  const std::int64_t* offsets = matrix.offsets.data() + first;
  for (std::size_t r = 0; r < factors.size(); ++r) {
    const double factor = factors[r];
    if (factor == 0) continue;
    for (auto k = static_cast<std::size_t>(offsets[r]);
         k < static_cast<std::size_t>(offsets[r + 1]); ++k) {
      out[matrix.columns[k]] += factor * static_cast<double>(matrix.values[k]);
    }
  }
}

}  // namespace rankine
