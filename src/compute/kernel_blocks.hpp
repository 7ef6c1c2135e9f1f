// Blocks of f(x_r, z_j) for rows x_r (dense or sparse) and packed columns z_j: products or
// distances in registers, and the function applied before they are stored. Single precision. Each
// value depends on its own row and column alone, so cutting rows into blocks does not change the
// bits. Cost: one fused multiply-add (distance: three operations) per feature and value. Values can
// also be made in two steps, with the same bits: first t, which may be kept, then f(t).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

/// f as a function of t = x . z, or for distance and laplacian of t = |x - z|_1.
struct KernelFormula {
  enum class Kind {
    product,     // scale * t
    distance,    // t
    rbf,         // exp(-gamma max(0, |x|^2 + |z|^2 - 2 t))
    laplacian,   // exp(-gamma t)
    polynomial,  // (gamma t + coef0)^degree
    cosine,      // scale * cos(t + phase of z)
    relu,        // scale * max(0, t + phase of z)
  };
  Kind kind = Kind::product;
  float gamma = 1;
  float coef0 = 0;
  int degree = 1;
  float scale = 1;
};

/// Columns laid out for kernel_block: panels of kPanel columns, feature by feature.
class PackedColumns {
 public:
  static constexpr std::size_t kPanel = 16;

  /// The rows of `matrix` become columns. `phases`: one per column, or none.
  explicit PackedColumns(const FeatureMatrix& matrix, std::span<const float> phases = {});

  std::size_t num_columns() const { return num_columns_; }
  std::size_t num_features() const { return num_features_; }
  std::size_t num_panels() const { return (num_columns_ + kPanel - 1) / kPanel; }
  const float* panel(std::size_t index) const {
    return values_.data() + index * num_features_ * kPanel;
  }
  const float* squared_norms() const { return squared_norms_.data(); }
  const float* absolute_sums() const { return absolute_sums_.data(); }
  const float* phases() const { return phases_.data(); }

 private:
  std::size_t num_columns_ = 0;
  std::size_t num_features_ = 0;
  std::vector<float> values_;
  std::vector<float> squared_norms_;  // by column, padded to whole panels with 0
  std::vector<float> absolute_sums_;
  std::vector<float> phases_;
};

/// out[r * columns.num_columns() + j] = f(row first + r of `rows`, column j) for `count` rows. Rows
/// may have fewer features than the columns: the others are 0.
void kernel_block(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
                  const PackedColumns& columns, const KernelFormula& function, float* out);

/// The function whose values are the t of `function`.
KernelFormula unfinished(const KernelFormula& function);

/// |x|^2 of `count` rows, as kernel_block has them.
void squared_norms(const FeatureMatrix& rows, std::int64_t first, std::int64_t count, float* out);

/// Turns t (a row of columns.num_columns() for each of `row_norms`) into f, in place.
void finish_block(std::span<const float> row_norms, const PackedColumns& columns,
                  const KernelFormula& function, float* values);

}  // namespace rankine
