// Register blocking: a tile of six rows by one panel of columns stays in registers over all
// features, so each value that is loaded is used many times. The kernel function is applied before
// the tile is stored. Sparse rows go one at a time: each stored value is multiplied by one row of
// the panel. Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008.
#include <algorithm>
#include <cmath>
#include <variant>

#include "compute/kernel_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/cpu/products/kernel_products.cpp"
// The order of these three matters.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include "base/checked_size.hpp"
#include "base/contract.hpp"

HWY_BEFORE_NAMESPACE();
namespace rankine {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, PackedColumns::kPanel>;
using Vector = hn::VFromD<Lanes>;
constexpr std::size_t kPanel = PackedColumns::kPanel;

/// What the function needs of one panel and one row.
struct Side {
  const float* squared_norms;
  const float* absolute_sums;
  const float* phases;
};

HWY_INLINE Vector power(Vector base, int exponent) {
  const Lanes d;
  Vector result = hn::Set(d, 1.0F);
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = hn::Mul(result, base);
    base = hn::Mul(base, base);
  }
  return result;
}

HWY_INLINE Vector finish(const KernelFormula& f, Vector t, const Side& side, std::size_t at,
                         float row_norm) {
  const Lanes d;
  switch (f.kind) {
    case KernelFormula::Kind::product:
      return hn::Mul(t, hn::Set(d, f.scale));
    case KernelFormula::Kind::distance:
      return t;
    case KernelFormula::Kind::rbf: {
      const auto sum = hn::Add(hn::Set(d, row_norm), hn::LoadU(d, side.squared_norms + at));
      const auto distance = hn::Max(hn::NegMulAdd(hn::Set(d, 2.0F), t, sum), hn::Zero(d));
      return hn::Exp(d, hn::Mul(hn::Set(d, -f.gamma), distance));
    }
    case KernelFormula::Kind::laplacian:
      return hn::Exp(d, hn::Mul(hn::Set(d, -f.gamma), hn::Max(t, hn::Zero(d))));
    case KernelFormula::Kind::polynomial:
      return power(hn::MulAdd(hn::Set(d, f.gamma), t, hn::Set(d, f.coef0)), f.degree);
    case KernelFormula::Kind::cosine:
      return hn::Mul(hn::Set(d, f.scale), hn::Cos(d, hn::Add(t, hn::LoadU(d, side.phases + at))));
    case KernelFormula::Kind::relu:
      return hn::Mul(hn::Set(d, f.scale),
                     hn::Max(hn::Add(t, hn::LoadU(d, side.phases + at)), hn::Zero(d)));
  }
  return t;
}

HWY_INLINE void store(const Vector& value, float* out, std::size_t at, std::size_t count) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  if (at + lanes <= count) {
    hn::StoreU(value, d, out + at);
  } else if (at < count) {
    float buffer[HWY_MAX_BYTES / sizeof(float)];
    hn::StoreU(value, d, buffer);
    std::copy(buffer, buffer + (count - at), out + at);
  }
}

template <bool kDistance>
HWY_INLINE Vector accumulate(Vector value, Vector column, Vector sum) {
  if constexpr (kDistance) {
    return hn::Add(sum, hn::Abs(hn::Sub(value, column)));
  } else {
    return hn::MulAdd(value, column, sum);
  }
}

template <std::size_t kRows, std::size_t kParts, bool kDistance>
HWY_INLINE void tile(const float* rows, std::size_t width, std::size_t stride, const float* panel,
                     std::size_t num_features, const KernelFormula& f, const Side& side,
                     const float* row_norms, float* out, std::size_t out_stride,
                     std::size_t count) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  Vector sums[kRows][kParts];
  for (auto& row : sums) {
    for (auto& sum : row) sum = hn::Zero(d);
  }
  for (std::size_t feature = 0; feature < width; ++feature) {
    Vector columns[kParts];
    for (std::size_t p = 0; p < kParts; ++p) {
      columns[p] = hn::LoadU(d, panel + feature * kPanel + p * lanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto value = hn::Set(d, rows[r * stride + feature]);
      for (std::size_t p = 0; p < kParts; ++p) {
        sums[r][p] = accumulate<kDistance>(value, columns[p], sums[r][p]);
      }
    }
  }
  if constexpr (kDistance) {  // features that the rows lack are 0
    for (std::size_t feature = width; feature < num_features; ++feature) {
      for (std::size_t p = 0; p < kParts; ++p) {
        const auto rest = hn::Abs(hn::LoadU(d, panel + feature * kPanel + p * lanes));
        for (std::size_t r = 0; r < kRows; ++r) sums[r][p] = hn::Add(sums[r][p], rest);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t p = 0; p < kParts; ++p) {
      store(finish(f, sums[r][p], side, p * lanes, row_norms[r]), out + r * out_stride, p * lanes,
            count);
    }
  }
}

template <std::size_t kParts, bool kDistance>
HWY_INLINE void dense_block(const float* rows, std::size_t width, std::size_t num_rows,
                            const PackedColumns& columns, const KernelFormula& f,
                            const float* row_norms, float* out) {
  constexpr std::size_t kRows = kParts <= 2 ? 6 : 3;
  const std::size_t total = columns.num_columns();
  const std::size_t used = std::min(width, columns.num_features());
  for (std::size_t index = 0; index < columns.num_panels(); ++index) {
    const std::size_t first = index * kPanel;
    const std::size_t count = std::min(kPanel, total - first);
    const Side side{columns.squared_norms() + first, columns.absolute_sums() + first,
                    columns.phases() + first};
    std::size_t r = 0;
    for (; r + kRows <= num_rows; r += kRows) {
      tile<kRows, kParts, kDistance>(rows + r * width, used, width, columns.panel(index),
                                     columns.num_features(), f, side, row_norms + r,
                                     out + r * total + first, total, count);
    }
    for (; r < num_rows; ++r) {
      tile<1, kParts, kDistance>(rows + r * width, used, width, columns.panel(index),
                                 columns.num_features(), f, side, row_norms + r,
                                 out + r * total + first, total, count);
    }
  }
}

template <std::size_t kParts, bool kDistance>
HWY_INLINE void sparse_row(const std::uint32_t* features, const float* values, std::size_t size,
                           const PackedColumns& columns, const KernelFormula& f, float row_norm,
                           float* out) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t total = columns.num_columns();
  for (std::size_t index = 0; index < columns.num_panels(); ++index) {
    const std::size_t first = index * kPanel;
    const Side side{columns.squared_norms() + first, columns.absolute_sums() + first,
                    columns.phases() + first};
    const float* panel = columns.panel(index);
    Vector sums[kParts];
    for (std::size_t p = 0; p < kParts; ++p) {
      sums[p] = kDistance ? hn::LoadU(d, side.absolute_sums + p * lanes) : hn::Zero(d);
    }
    for (std::size_t k = 0; k < size; ++k) {
      const bool known = features[k] < columns.num_features();
      const auto value = hn::Set(d, values[k]);
      if (!known) {
        if constexpr (kDistance) {
          for (auto& sum : sums) sum = hn::Add(sum, hn::Abs(value));
        }
        continue;
      }
      for (std::size_t p = 0; p < kParts; ++p) {
        const auto column = hn::LoadU(d, panel + features[k] * kPanel + p * lanes);
        sums[p] = accumulate<kDistance>(value, column, sums[p]);
        if constexpr (kDistance) sums[p] = hn::Sub(sums[p], hn::Abs(column));
      }
    }
    for (std::size_t p = 0; p < kParts; ++p) {
      store(finish(f, sums[p], side, p * lanes, row_norm), out + first, p * lanes,
            std::min(kPanel, total - first));
    }
  }
}

template <bool kDistance>
HWY_INLINE void dense_any(const float* rows, std::size_t width, std::size_t num_rows,
                          const PackedColumns& columns, const KernelFormula& f,
                          const float* row_norms, float* out) {
  const std::size_t parts = kPanel / hn::Lanes(Lanes());
  if (parts == 1) dense_block<1, kDistance>(rows, width, num_rows, columns, f, row_norms, out);
  if (parts == 2) dense_block<2, kDistance>(rows, width, num_rows, columns, f, row_norms, out);
  if (parts == 4) dense_block<4, kDistance>(rows, width, num_rows, columns, f, row_norms, out);
  if (parts == 16) dense_block<16, kDistance>(rows, width, num_rows, columns, f, row_norms, out);
}

template <bool kDistance>
HWY_INLINE void sparse_any(const std::uint32_t* features, const float* values, std::size_t size,
                           const PackedColumns& columns, const KernelFormula& f, float row_norm,
                           float* out) {
  const std::size_t parts = kPanel / hn::Lanes(Lanes());
  if (parts == 1) sparse_row<1, kDistance>(features, values, size, columns, f, row_norm, out);
  if (parts == 2) sparse_row<2, kDistance>(features, values, size, columns, f, row_norm, out);
  if (parts == 4) sparse_row<4, kDistance>(features, values, size, columns, f, row_norm, out);
  if (parts == 16) sparse_row<16, kDistance>(features, values, size, columns, f, row_norm, out);
}

HWY_INLINE bool is_distance(const KernelFormula& f) {
  return f.kind == KernelFormula::Kind::laplacian || f.kind == KernelFormula::Kind::distance;
}

HWY_ATTR void dense_kernel_block(const float* rows, std::size_t width, std::size_t num_rows,
                                 const PackedColumns& columns, const KernelFormula& f,
                                 const float* row_norms, float* out) {
  if (is_distance(f)) {
    dense_any<true>(rows, width, num_rows, columns, f, row_norms, out);
  } else {
    dense_any<false>(rows, width, num_rows, columns, f, row_norms, out);
  }
}

HWY_ATTR void sparse_kernel_row(const std::uint32_t* features, const float* values,
                                std::size_t size, const PackedColumns& columns,
                                const KernelFormula& f, float row_norm, float* out) {
  if (is_distance(f)) {
    sparse_any<true>(features, values, size, columns, f, row_norm, out);
  } else {
    sparse_any<false>(features, values, size, columns, f, row_norm, out);
  }
}

HWY_ATTR void finish_rows(const float* row_norms, std::size_t num_rows,
                          const PackedColumns& columns, const KernelFormula& f, float* values) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t total = columns.num_columns();
  const Side side{columns.squared_norms(), columns.absolute_sums(), columns.phases()};
  for (std::size_t r = 0; r < num_rows; ++r) {
    float* row = values + r * total;
    std::size_t at = 0;
    for (; at + lanes <= total; at += lanes) {
      hn::StoreU(finish(f, hn::LoadU(d, row + at), side, at, row_norms[r]), d, row + at);
    }
    if (at == total) continue;
    float rest[HWY_MAX_BYTES / sizeof(float)] = {};
    std::copy(row + at, row + total, rest);
    store(finish(f, hn::LoadU(d, rest), side, at, row_norms[r]), row, at, total);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rankine {

HWY_EXPORT(dense_kernel_block);
HWY_EXPORT(sparse_kernel_row);
HWY_EXPORT(finish_rows);

namespace {

constexpr std::int64_t kBlockRows = 48;  // rows that stay in cache while the panels go by

float squared_norm(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return static_cast<float>(sum);
}

/// The values that a row stores.
std::span<const float> row_values(const FeatureMatrix& rows, std::int64_t row) {
  if (const auto* dense = std::get_if<DenseMatrix>(&rows)) return dense->row(row);
  const auto& sparse = std::get<CsrMatrix>(rows);
  const auto begin = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(row)]);
  const auto end = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(row + 1)]);
  return sparse.values.span().subspan(begin, end - begin);
}

}  // namespace

PackedColumns::PackedColumns(const FeatureMatrix& matrix, std::span<const float> phases) {
  const auto sizes =
      std::visit([](const auto& m) { return std::pair(m.num_rows, m.num_columns); }, matrix);
  num_columns_ = static_cast<std::size_t>(sizes.first);
  num_features_ = static_cast<std::size_t>(sizes.second);
  const std::size_t padded = num_panels() * kPanel;
  values_.resize(product_or_most(padded, num_features_));
  squared_norms_.resize(padded);
  absolute_sums_.resize(padded);
  phases_.resize(padded);
  RANKINE_ASSERT(phases.empty() || phases.size() == num_columns_);
  std::copy(phases.begin(), phases.end(), phases_.begin());
  for (std::size_t column = 0; column < num_columns_; ++column) {
    float* panel = values_.data() + column / kPanel * num_features_ * kPanel + column % kPanel;
    double squares = 0;
    double absolute = 0;
    const auto put = [&](std::size_t feature, float value) {
      panel[feature * kPanel] = value;
      squares += static_cast<double>(value) * static_cast<double>(value);
      absolute += std::abs(static_cast<double>(value));
    };
    if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
      const auto row = dense->row(static_cast<std::int64_t>(column));
      for (std::size_t feature = 0; feature < row.size(); ++feature) put(feature, row[feature]);
    } else {
      const auto& sparse = std::get<CsrMatrix>(matrix);
      for (auto k = static_cast<std::size_t>(sparse.offsets[column]);
           k < static_cast<std::size_t>(sparse.offsets[column + 1]); ++k) {
        put(sparse.columns[k], sparse.values[k]);
      }
    }
    squared_norms_[column] = static_cast<float>(squares);
    absolute_sums_[column] = static_cast<float>(absolute);
  }
}

void kernel_block(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
                  const PackedColumns& columns, const KernelFormula& function, float* out) {
  if (const auto* dense = std::get_if<DenseMatrix>(&rows)) {
    const auto width = static_cast<std::size_t>(dense->num_columns);
    float norms[kBlockRows];
    for (std::int64_t start = 0; start < count; start += kBlockRows) {
      const std::int64_t here = std::min(kBlockRows, count - start);
      squared_norms(rows, first + start, here, norms);
      HWY_DYNAMIC_DISPATCH(dense_kernel_block)
      (dense->row(first + start).data(), width, static_cast<std::size_t>(here), columns, function,
       norms, out + static_cast<std::size_t>(start) * columns.num_columns());
    }
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(rows);
  for (std::int64_t r = 0; r < count; ++r) {
    const auto begin = sparse.offsets[static_cast<std::size_t>(first + r)];
    const auto values = row_values(rows, first + r);
    HWY_DYNAMIC_DISPATCH(sparse_kernel_row)
    (sparse.columns.data() + begin, values.data(), values.size(), columns, function,
     squared_norm(values), out + static_cast<std::size_t>(r) * columns.num_columns());
  }
}

KernelFormula unfinished(const KernelFormula& function) {
  const bool distance = function.kind == KernelFormula::Kind::laplacian ||
                        function.kind == KernelFormula::Kind::distance;
  return {.kind = distance ? KernelFormula::Kind::distance : KernelFormula::Kind::product};
}

void squared_norms(const FeatureMatrix& rows, std::int64_t first, std::int64_t count, float* out) {
  for (std::int64_t r = 0; r < count; ++r) out[r] = squared_norm(row_values(rows, first + r));
}

void finish_block(std::span<const float> row_norms, const PackedColumns& columns,
                  const KernelFormula& function, float* values) {
  HWY_DYNAMIC_DISPATCH(finish_rows)
  (row_norms.data(), row_norms.size(), columns, function, values);
}

}  // namespace rankine
#endif
