// Sums of outer products by BLAS: only one triangle, since they are symmetric. Wide matrices are
// cut into tiles of which each is one task, so that all threads add to one matrix.
#include "linalg/gram_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/blas_access.hpp"

namespace rankine {

GramSums::GramSums(std::int64_t columns)
    : width(columns),
      gram(static_cast<std::size_t>(columns * columns)),
      slope(static_cast<std::size_t>(columns)) {}

void GramSums::add(const double* rows, std::span<const double> targets) {
  const auto d = static_cast<int>(width);
  const auto n = static_cast<int>(targets.size());
  if (n == 0 || d == 0) return;
  const BlasAccess access;
  // Row-major lower is column-major upper.
  access->dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, d, n, 1.0, rows, d, 1.0, gram.data(), d);
  access->dgemv(CblasColMajor, CblasNoTrans, d, n, 1.0, rows, d, targets.data(), 1, 1.0,
                slope.data(), 1);
  squares += access->ddot(n, targets.data(), 1, targets.data(), 1);
}

void GramSums::subtract(const double* rows, std::span<const double> targets) {
  const auto d = static_cast<int>(width);
  const auto n = static_cast<int>(targets.size());
  if (n == 0 || d == 0) return;
  const BlasAccess access;
  access->dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, d, n, -1.0, rows, d, 1.0, gram.data(), d);
  access->dgemv(CblasColMajor, CblasNoTrans, d, n, -1.0, rows, d, targets.data(), 1, 1.0,
                slope.data(), 1);
}

void GramSums::add(const GramSums& other) {
  for (std::size_t k = 0; k < gram.size(); ++k) gram[k] += other.gram[k];
  for (std::size_t k = 0; k < slope.size(); ++k) slope[k] += other.slope[k];
  squares += other.squares;
}

void GramSums::write(Bytes& out) const {
  write_values(std::span<const double>(gram), out);
  write_values(std::span<const double>(slope), out);
  write_values(std::span<const double>(&squares, 1), out);
}

void GramSums::read(std::span<const std::byte>& from) {
  read_values(from, std::span<double>(gram));
  read_values(from, std::span<double>(slope));
  read_values(from, std::span<double>(&squares, 1));
}

void add_wide_gram(const double* rows, std::int64_t num_rows, std::int64_t width, int threads,
                   std::span<double> gram) {
  constexpr std::int64_t kTile = 256;
  const std::int64_t num_tiles = (width + kTile - 1) / kTile;
  std::vector<std::pair<std::int64_t, std::int64_t>> tiles;
  for (std::int64_t i = 0; i < num_tiles; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) tiles.emplace_back(i * kTile, j * kTile);
  }
  const auto d = static_cast<int>(width);
  parallel_for(static_cast<std::int64_t>(tiles.size()), threads, [&](std::int64_t index) {
    const auto [i, j] = tiles[static_cast<std::size_t>(index)];
    const auto height = static_cast<int>(std::min(kTile, width - i));
    const auto across = static_cast<int>(std::min(kTile, width - j));
    const BlasAccess access;
    access->dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, height, across,
                  static_cast<int>(num_rows), 1.0, rows + i, d, rows + j, d, 1.0,
                  gram.data() + i * width + j, d);
  });
}

void outer_gram(const double* left, std::int64_t num_rows, std::int64_t width,
                std::span<double> out) {
  if (num_rows == 0) return;
  const auto n = static_cast<int>(num_rows);
  const auto d = static_cast<int>(width);
  const BlasAccess access;
  access->dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, d, 1.0, left, d, 0.0, out.data(), n);
}

void times_transposed(const double* left, std::int64_t rows, const double* right,
                      std::int64_t columns, std::int64_t inner, double* out) {
  if (rows == 0 || columns == 0) return;
  const BlasAccess access;
  access->dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows),
                static_cast<int>(columns), static_cast<int>(inner), 1.0, left,
                static_cast<int>(inner), right, static_cast<int>(inner), 0.0, out,
                static_cast<int>(columns));
}

void times(const double* left, std::int64_t rows, const double* right, std::int64_t columns,
           std::int64_t inner, double* out) {
  if (rows == 0 || columns == 0) return;
  const BlasAccess access;
  access->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(rows),
                static_cast<int>(columns), static_cast<int>(inner), 1.0, left,
                static_cast<int>(inner), right, static_cast<int>(columns), 0.0, out,
                static_cast<int>(columns));
}

void make_symmetric(std::span<double> matrix, std::int64_t size) {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) matrix[j * n + i] = matrix[i * n + j];
  }
}

}  // namespace rankine
