#include "linalg/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/contract.hpp"
#include "linalg/blas_access.hpp"

namespace rankine::lapack {
namespace {

/// Calls routine(work, size of work), first with size -1 to learn the size.
template <class Routine>
void with_work(const Routine& routine) {
  double wanted = 0;
  routine(&wanted, -1);
  std::vector<double> work(static_cast<std::size_t>(wanted));
  routine(work.data(), static_cast<int>(work.size()));
}

/// The same for routines that also work in integers.
template <class Routine>
void with_two_works(const Routine& routine) {
  double wanted = 0;
  int integers_wanted = 0;
  routine(&wanted, -1, &integers_wanted, -1);
  std::vector<double> work(static_cast<std::size_t>(wanted));
  std::vector<int> integers(static_cast<std::size_t>(integers_wanted));
  routine(work.data(), static_cast<int>(work.size()), integers.data(), integers_wanted);
}

/// Of the upper triangle: with other entries the routines may not end.
bool is_finite(std::size_t size, const double* matrix) {
  for (std::size_t column = 0; column < size; ++column) {
    const double* const entries = matrix + column * size;
    if (!std::all_of(entries, entries + column + 1, [](double x) { return std::isfinite(x); })) {
      return false;
    }
  }
  return true;
}

bool is_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

bool factor(std::int64_t size, double* matrix) {
  const auto n = static_cast<int>(size);
  int status = 0;
  const BlasAccess access;
  if (n > 0) access->dpotrf("U", &n, matrix, &n, &status, 1);
  return status == 0;
}

bool factor(std::int64_t size, float* matrix) {
  const auto n = static_cast<int>(size);
  int status = 0;
  const BlasAccess access;
  if (n > 0) access->spotrf("U", &n, matrix, &n, &status, 1);
  return status == 0;
}

std::int64_t factor_pivoted(std::int64_t size, double* matrix, std::span<int> pivots,
                            double least) {
  const auto n = static_cast<int>(size);
  std::vector<double> work(2 * static_cast<std::size_t>(size));
  int rank = 0;
  int status = 0;
  const BlasAccess access;
  if (n > 0)
    access->dpstrf("U", &n, matrix, &n, pivots.data(), &rank, &least, work.data(), &status, 1);
  for (int& pivot : pivots) --pivot;
  return rank;
}

bool eigenpairs(std::int64_t size, double* matrix, std::span<double> values) {
  if (size == 0) return true;
  if (!is_finite(static_cast<std::size_t>(size), matrix)) return false;
  const auto n = static_cast<int>(size);
  int status = 0;
  const BlasAccess access;
  with_two_works([&](double* work, int num_work, int* integers, int num_integers) {
    access->dsyevd("V", "U", &n, matrix, &n, values.data(), work, &num_work, integers,
                   &num_integers, &status, 1, 1);
  });
  return status == 0;
}

bool top_eigenpairs(std::int64_t size, double* matrix, std::int64_t count, std::span<double> values,
                    std::span<double> vectors) {
  RANKINE_ASSERT(count >= 1 && count <= size);
  if (!is_finite(static_cast<std::size_t>(size), matrix)) return false;
  const auto n = static_cast<int>(size);
  const int first = n - static_cast<int>(count) + 1;
  const double unused = 0;
  std::vector<double> all_values(static_cast<std::size_t>(size));
  std::vector<int> support(2 * static_cast<std::size_t>(count));
  int found = 0;
  int status = 0;
  const BlasAccess access;
  with_two_works([&](double* work, int num_work, int* integers, int num_integers) {
    access->dsyevr("V", "I", "U", &n, matrix, &n, &unused, &unused, &first, &n, &unused, &found,
                   all_values.data(), vectors.data(), &n, support.data(), work, &num_work, integers,
                   &num_integers, &status, 1, 1, 1);
  });
  std::copy_n(all_values.begin(), count, values.begin());
  return status == 0 && found == count;
}

bool tridiagonal_eigenvalues(std::span<double> diagonal, std::span<double> beside) {
  if (!is_finite(diagonal) || !is_finite(beside)) return false;
  const auto n = static_cast<int>(diagonal.size());
  int status = 0;
  const BlasAccess access;
  access->dsterf(&n, diagonal.data(), beside.data(), &status);
  return status == 0;
}

void orthonormalise(std::int64_t height, std::int64_t width, double* matrix) {
  RANKINE_ASSERT(width <= height);
  if (width == 0) return;
  const auto m = static_cast<int>(height);
  const auto n = static_cast<int>(width);
  std::vector<double> reflectors(static_cast<std::size_t>(width));
  int status = 0;
  const BlasAccess access;
  with_work([&](double* work, int num_work) {
    access->dgeqrf(&m, &n, matrix, &m, reflectors.data(), work, &num_work, &status);
  });
  const auto column = [&](std::size_t k) { return matrix + k * static_cast<std::size_t>(height); };
  std::vector<bool> negative(static_cast<std::size_t>(width));
  for (std::size_t k = 0; k < negative.size(); ++k) negative[k] = column(k)[k] < 0;
  with_work([&](double* work, int num_work) {
    access->dorgqr(&m, &n, &n, matrix, &m, reflectors.data(), work, &num_work, &status);
  });
  for (std::size_t k = 0; k < negative.size(); ++k) {
    if (negative[k]) std::transform(column(k), column(k) + height, column(k), std::negate<>());
  }
}

}  // namespace rankine::lapack
