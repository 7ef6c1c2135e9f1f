#include "compute/orthogonal_rows.hpp"

#include <cstddef>
#include <vector>

#include <lapacke.h>

#include "base/contract.hpp"
#include "compute/blas_access.hpp"

namespace rankine {

void make_rows_orthonormal(std::span<double> rows, std::int64_t count, std::int64_t width) {
  RANKINE_ASSERT(count <= width);
  const auto n = static_cast<lapack_int>(count);
  const auto d = static_cast<lapack_int>(width);
  std::vector<double> reflectors(static_cast<std::size_t>(count));
  std::vector<bool> negative(static_cast<std::size_t>(count));
  {
    const BlasAccess access;  // row-major rows are column-major columns
    LAPACKE_dgeqrf(LAPACK_COL_MAJOR, d, n, rows.data(), d, reflectors.data());
    for (std::size_t k = 0; k < negative.size(); ++k) {
      negative[k] = rows[k * static_cast<std::size_t>(width) + k] < 0;
    }
    LAPACKE_dorgqr(LAPACK_COL_MAJOR, d, n, n, rows.data(), d, reflectors.data());
  }
  for (std::size_t k = 0; k < negative.size(); ++k) {
    if (!negative[k]) continue;
    for (double& value :
         rows.subspan(k * static_cast<std::size_t>(width), static_cast<std::size_t>(width))) {
      value = -value;
    }
  }
}

}  // namespace rankine
