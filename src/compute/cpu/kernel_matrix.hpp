// The kernel of all documents with each other: symmetric, float32, the lower half in square tiles.
// Kept where memory allows, otherwise each product makes the tiles anew. A product reads every tile
// once for both of its sides, and sums are in a fixed order whatever the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>

#include "base/system/growing_array.hpp"
#include "compute/kernel_operator.hpp"

namespace rankine {

class KernelMatrix final : public KernelOperator {
 public:
  /// Keeps a reference to `rows`. Cost when kept: n^2 / 2 kernel values.
  KernelMatrix(const FeatureMatrix& rows, const KernelFormula& function, bool keep, int threads);
  /// The kernel `function` of the values t that a kept matrix of unfinished(function) holds: the
  /// same bits as from the rows. The result is kept, too. Cost: n^2 / 2 values of the function.
  KernelMatrix(const KernelMatrix& unfinished, const KernelFormula& function, int threads);
  /// Of given values, row-major; the lower half counts. Keeps a reference.
  KernelMatrix(const DenseMatrix& values, int threads);

  std::int64_t size() const override { return size_; }
  void times(std::span<const double> vector, std::span<double> out) const override;
  std::unique_ptr<KernelOperator> finished(const KernelFormula& formula,
                                           int threads) const override {
    return std::make_unique<KernelMatrix>(*this, formula, threads);
  }

  /// Bytes that a kept matrix of this size takes.
  static double num_bytes(std::int64_t size);

 private:
  static constexpr std::int64_t kTile = 256;
  std::int64_t num_tiles() const { return (size_ + kTile - 1) / kTile; }
  std::int64_t rows_in(std::int64_t tile) const;
  /// Where the tile at (row, column) of tiles is in kept_.
  std::size_t place_of(std::int64_t row, std::int64_t column) const {
    return offsets_[static_cast<std::size_t>(row)] +
           static_cast<std::size_t>(rows_in(row) * column * kTile);
  }
  /// Fills kept_: make(row, column, out) writes a tile.
  template <class Make>
  void keep_tiles(const Make& make);
  /// Writes the tile at (row, column) of tiles, row-major.
  void make_tile(std::int64_t row, std::int64_t column, float* out) const;

  std::int64_t size_;
  int threads_;
  const FeatureMatrix* rows_ = nullptr;
  const DenseMatrix* values_ = nullptr;
  KernelFormula function_;
  std::vector<PackedColumns> packed_;  // by tile
  std::vector<std::size_t> offsets_;   // of each row of tiles in kept_
  Array<float> kept_;                  // empty: made anew
};

}  // namespace rankine
