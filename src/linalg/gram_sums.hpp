// What least squares needs of rows R with targets t: R^T R, R^T t and t^T t. All sums in double;
// as a whole something that base/sums/canonical_sum can add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/collective.hpp"

namespace rankine {

struct GramSums {
  explicit GramSums(std::int64_t columns = 0);

  std::int64_t width = 0;
  std::vector<double> gram;   // R^T R, row-major; the lower triangle only
  std::vector<double> slope;  // R^T t
  double squares = 0;         // t^T t, and whatever no weights can explain

  /// Adds targets.size() rows of `width` each.
  void add(const double* rows, std::span<const double> targets);
  /// Takes them out of gram and slope; squares stay.
  void subtract(const double* rows, std::span<const double> targets);
  void add(const GramSums& other);
  void write(Bytes& out) const;
  void read(std::span<const std::byte>& from);
};

/// Adds rows^T rows to the gram of wide rows with several threads, tile by tile.
void add_wide_gram(const double* rows, std::int64_t num_rows, std::int64_t width, int threads,
                   std::span<double> gram);
/// From this width on, tiles are better than sums of one's own for each thread.
inline constexpr std::int64_t kWideGram = 512;

/// The lower triangle of left left^T, for row-major num_rows x width; upper entries are left alone.
void outer_gram(const double* left, std::int64_t num_rows, std::int64_t width,
                std::span<double> out);

/// out (rows x columns) = left (rows x inner) * right^T (columns x inner), row-major.
void times_transposed(const double* left, std::int64_t rows, const double* right,
                      std::int64_t columns, std::int64_t inner, double* out);
/// out (rows x columns) = left (rows x inner) * right (inner x columns), row-major.
void times(const double* left, std::int64_t rows, const double* right, std::int64_t columns,
           std::int64_t inner, double* out);

/// Copies the lower triangle of a square matrix to the upper.
void make_symmetric(std::span<double> matrix, std::int64_t size);

}  // namespace rankine
