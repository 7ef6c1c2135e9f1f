// A symmetric matrix in square tiles of which only the lower half is kept or made. A product with a
// vector reads each tile once and uses it for both sides. Tiles are dealt out to a fixed number of
// tasks with a sum of their own, and the sums are added in order, so the bits do not depend on the
// number of threads. Without memory for the tiles, each product makes them anew (matrix-free
// products).
#include "compute/cpu/kernel_matrix.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/products/dense_products.hpp"

namespace rankine {
namespace {

constexpr std::size_t kTasks = 32;  // each has sums of its own

std::vector<std::int64_t> row_numbers(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// Rows of a matrix, sharing its memory where it is dense.
FeatureMatrix row_range(const FeatureMatrix& matrix, std::int64_t first, std::int64_t count) {
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    const auto width = static_cast<std::size_t>(dense->num_columns);
    return DenseMatrix{
        count, dense->num_columns,
        Array<float>::borrow(dense->values.span().subspan(static_cast<std::size_t>(first) * width,
                                                          static_cast<std::size_t>(count) * width),
                             nullptr)};
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  std::vector<std::int64_t> offsets;
  const std::int64_t start = sparse.offsets[static_cast<std::size_t>(first)];
  for (const std::int64_t row : row_numbers(first, count + 1)) {
    offsets.push_back(sparse.offsets[static_cast<std::size_t>(row)] - start);
  }
  const auto begin = static_cast<std::size_t>(start);
  const auto size = static_cast<std::size_t>(offsets.back());
  return CsrMatrix{
      count, sparse.num_columns, std::move(offsets),
      Array<std::uint32_t>::borrow(sparse.columns.span().subspan(begin, size), nullptr),
      Array<float>::borrow(sparse.values.span().subspan(begin, size), nullptr)};
}

}  // namespace

std::int64_t KernelMatrix::rows_in(std::int64_t tile) const {
  return std::min(kTile, size_ - tile * kTile);
}

double KernelMatrix::num_bytes(std::int64_t size) {
  const auto n = static_cast<double>(size);
  return sizeof(float) * n * (n + static_cast<double>(kTile)) / 2;
}

KernelMatrix::KernelMatrix(const FeatureMatrix& rows, const KernelFormula& function, bool keep,
                           int threads)
    : size_(std::visit([](const auto& m) { return m.num_rows; }, rows)),
      threads_(threads),
      rows_(&rows),
      function_(function) {
  for (std::int64_t tile = 0; tile < num_tiles(); ++tile) {
    packed_.emplace_back(row_range(rows, tile * kTile, rows_in(tile)));
  }
  if (!keep) return;
  keep_tiles(
      [&](std::int64_t row, std::int64_t column, float* out) { make_tile(row, column, out); });
}

KernelMatrix::KernelMatrix(const KernelMatrix& unfinished, const KernelFormula& function,
                           int threads)
    : size_(unfinished.size_), threads_(threads), rows_(unfinished.rows_), function_(function) {
  RANKINE_ASSERT(size_ == 0 || !unfinished.kept_.empty());
  keep_tiles([&](std::int64_t row, std::int64_t column, float* out) {
    const std::int64_t height = rows_in(row);
    std::array<float, kTile> norms;
    squared_norms(*rows_, row * kTile, height, norms.data());
    const float* from = unfinished.kept_.data() + unfinished.place_of(row, column);
    std::copy(from, from + height * rows_in(column), out);
    finish_block(std::span(norms).first(static_cast<std::size_t>(height)),
                 unfinished.packed_[static_cast<std::size_t>(column)], function, out);
  });
}

template <class Make>
void KernelMatrix::keep_tiles(const Make& make) {
  offsets_.push_back(0);
  for (std::int64_t tile = 0; tile < num_tiles(); ++tile) {
    const std::int64_t columns = std::min(size_, (tile + 1) * kTile);
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(rows_in(tile) * columns));
  }
  GrowingArray<float> kept;
  kept.resize(offsets_.back());
  float* to = kept.data();
  parallel_for(num_tiles(), threads_, [&](std::int64_t row) {
    for (std::int64_t column = 0; column <= row; ++column) {
      make(row, column, to + place_of(row, column));
    }
  });
  kept_ = kept.finish();
}

KernelMatrix::KernelMatrix(const DenseMatrix& values, int threads)
    : size_(values.num_rows), threads_(threads), values_(&values) {}

void KernelMatrix::make_tile(std::int64_t row, std::int64_t column, float* out) const {
  if (values_ == nullptr) {
    kernel_block(*rows_, row * kTile, rows_in(row), packed_[static_cast<std::size_t>(column)],
                 function_, out);
    return;
  }
  const auto width = static_cast<std::size_t>(rows_in(column));
  for (std::int64_t r = 0; r < rows_in(row); ++r) {
    const auto from =
        values_->row(row * kTile + r).subspan(static_cast<std::size_t>(column * kTile), width);
    std::copy(from.begin(), from.end(), out + static_cast<std::size_t>(r) * width);
  }
}

void KernelMatrix::times(std::span<const double> vector, std::span<double> out) const {
  const auto size = static_cast<std::size_t>(size_);
  const std::size_t tasks = std::min(kTasks, static_cast<std::size_t>(num_tiles()));
  std::vector<double> sums(tasks * size);
  // Task k takes rows of tiles k, k + tasks, ...: equal shares of the triangle, nearly.
  parallel_for(static_cast<std::int64_t>(tasks), threads_, [&](std::int64_t task) {
    thread_local std::vector<float> made;
    std::array<double, kTile> partial{};
    const auto own = std::span(sums).subspan(static_cast<std::size_t>(task) * size, size);
    for (std::int64_t row = task; row < num_tiles(); row += static_cast<std::int64_t>(tasks)) {
      const auto height = static_cast<std::size_t>(rows_in(row));
      const auto row_start = static_cast<std::size_t>(row * kTile);
      for (std::int64_t column = 0; column <= row; ++column) {
        const auto width = static_cast<std::size_t>(rows_in(column));
        const auto column_start = static_cast<std::size_t>(column * kTile);
        const float* tile = nullptr;
        if (kept_.empty()) {
          made.resize(height * width);
          make_tile(row, column, made.data());
          tile = made.data();
        } else {
          tile = kept_.data() + place_of(row, column);
        }
        const auto products = std::span(partial).first(height);
        row_products(tile, vector.subspan(column_start, width), products);
        for (std::size_t r = 0; r < height; ++r) own[row_start + r] += products[r];
        if (column < row) {
          add_weighted_rows(tile, vector.subspan(row_start, height),
                            own.subspan(column_start, width));
        }
      }
    }
  });
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t task = 0; task < tasks; ++task) {
    for (std::size_t k = 0; k < size; ++k) out[k] += sums[task * size + k];
  }
}

}  // namespace rankine
