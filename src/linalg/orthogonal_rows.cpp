// Householder's QR of the transposed block, by LAPACK: rows of the same span, orthonormal.
#include "linalg/orthogonal_rows.hpp"

#include "base/contract.hpp"
#include "linalg/lapack.hpp"

namespace rankine {

void make_rows_orthonormal(std::span<double> rows, std::int64_t count, std::int64_t width) {
  RANKINE_ASSERT(count <= width);
  lapack::orthonormalise(width, count, rows.data());  // row-major rows are column-major columns
}

}  // namespace rankine
