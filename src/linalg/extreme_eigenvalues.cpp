// Lanczos' method: products with a matrix build an orthonormal basis in which the matrix is
// tridiagonal, and the ends of its spectrum are found first. Rounding would bring back copies of
// directions that are there already, so every new vector is made orthogonal to all before, twice.
// With some dozens of vectors that is cheap, and no eigenvalue is found that does not exist.
// Lanczos, 1950; "twice is enough": Parlett, "The Symmetric Eigenvalue Problem", 1998, section 6.9.
#include "linalg/extreme_eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/random.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/lapack.hpp"

namespace rankine {

SpectrumEnds extreme_eigenvalues(
    const std::function<void(std::span<const double> in, std::span<double> out)>& product,
    std::int64_t size, int steps) {
  const auto width = static_cast<std::size_t>(size);
  if (width == 0) return {};
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal;
  std::vector<double> beside;
  std::vector<double> next(width);
  const Random random(1);
  for (std::size_t k = 0; k < width; ++k) next[k] = random.normal(k);
  double length = std::sqrt(dot(next, next));
  while (basis.size() < std::min(static_cast<std::size_t>(steps), width)) {
    for (double& value : next) value /= length;
    basis.push_back(next);
    product(basis.back(), next);
    diagonal.push_back(dot(basis.back(), next));
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& earlier : basis) {
        const double along = dot(earlier, next);
        for (std::size_t k = 0; k < width; ++k) next[k] -= along * earlier[k];
      }
    }
    length = std::sqrt(dot(next, next));
    double scale = 0;
    for (const double value : diagonal) scale = std::max(scale, std::abs(value));
    if (!(length > 1e-12 * scale)) break;
    beside.push_back(length);
  }
  beside.resize(diagonal.size());
  lapack::tridiagonal_eigenvalues(diagonal, beside);
  return {diagonal.front(), diagonal.back()};
}

}  // namespace rankine
