// Products of a few dense float32 rows with double vectors: float storage, double sums, SIMD chosen
// for the machine at run time. Each result depends on its own row (or column) alone, so splitting
// rows between calls does not change `row_products`; nor do columns of zeros at their end.
#pragma once

#include <cstddef>
#include <span>

#include "base/prefetcher.hpp"

namespace rankine {

/// out[r] = rows[r] . vector for num_rows = out.size() rows of vector.size() floats each.
void row_products(const float* rows, std::span<const double> vector, std::span<double> out);

/// out += sum over r of factors[r] * rows[r], each row out.size() floats.
void add_weighted_rows(const float* rows, std::span<const double> factors, std::span<double> out);

/// The same in single precision, for Hessian products: sums of a few hundred rows, which the caller
/// adds up in double. The second prefetches a few cache lines of `ahead` per row.
void row_products_single(const float* rows, std::span<const float> vector, std::span<double> out);
void add_weighted_rows_single(const float* rows, std::span<const double> factors,
                              std::span<float> out, Prefetcher& ahead);

/// Products with several vectors at once. In single precision they are good for Hessian products,
/// where a relative error of 1e-6 costs nothing, and as fast as reading the rows for up to 24
/// vectors; in double they cost half of as many products with one.
template <class T>
constexpr std::size_t kVectorGroup = 32 / sizeof(T);
/// `count`, and as many more as fill the last group.
template <class T>
constexpr std::size_t in_vector_groups(std::size_t count) {
  return (count + kVectorGroup<T> - 1) / kVectorGroup<T> * kVectorGroup<T>;
}

/// out (num_rows x num_vectors) = rows * vectors (width x num_vectors), all row-major.
/// Requires: num_vectors is a multiple of kVectorGroup<float or double>. Prefetches from `ahead`.
void row_products(const float* rows, std::size_t width, std::size_t num_rows,
                  std::span<const float> vectors, std::size_t num_vectors, std::span<float> out,
                  Prefetcher* ahead = nullptr);
void row_products(const float* rows, std::size_t width, std::size_t num_rows,
                  std::span<const double> vectors, std::size_t num_vectors, std::span<double> out,
                  Prefetcher* ahead = nullptr);

/// out (width x num_vectors) += rows^T factors (num_rows x num_vectors). Likewise.
void add_weighted_rows(const float* rows, std::size_t width, std::size_t num_rows,
                       std::span<const float> factors, std::size_t num_vectors,
                       std::span<float> out, Prefetcher* ahead = nullptr);
void add_weighted_rows(const float* rows, std::size_t width, std::size_t num_rows,
                       std::span<const double> factors, std::size_t num_vectors,
                       std::span<double> out, Prefetcher* ahead = nullptr);

}  // namespace rankine
