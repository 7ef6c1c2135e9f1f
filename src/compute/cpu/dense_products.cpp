// With one vector both kernels take four rows at a time: four independent sums hide the latency of
// a fused multiply-add in the products, and one load and store of `out` serves four rows in the
// transpose. With several vectors the lanes run along the vectors: a tile of rows x vectors stays
// in registers.
#include "compute/cpu/dense_products.hpp"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/cpu/dense_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rankine {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;

HWY_INLINE auto load_promoted(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(Floats(), from));
}

template <std::size_t kRows>
HWY_INLINE void products_of_rows(const float* rows, const double* vector, std::size_t width,
                                 double* out) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  decltype(hn::Zero(d)) sums[kRows];
  for (auto& sum : sums) sum = hn::Zero(d);
  std::size_t column = 0;
  for (; column + lanes <= width; column += lanes) {
    const auto factor = hn::LoadU(d, vector + column);
    for (std::size_t r = 0; r < kRows; ++r) {
      sums[r] = hn::MulAdd(load_promoted(rows + r * width + column), factor, sums[r]);
    }
  }
  if (column < width) {
    // As if rows went on with zeros, so that columns of zeros at their end change nothing.
    HWY_ALIGN double factors[hn::MaxLanes(d)] = {};
    std::copy(vector + column, vector + width, factors);
    for (std::size_t r = 0; r < kRows; ++r) {
      HWY_ALIGN float values[hn::MaxLanes(d)] = {};
      std::copy(rows + r * width + column, rows + (r + 1) * width, values);
      sums[r] = hn::MulAdd(load_promoted(values), hn::Load(d, factors), sums[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) out[r] = hn::GetLane(hn::SumOfLanes(d, sums[r]));
}

HWY_ATTR void row_products_kernel(const float* rows, const double* vector, std::size_t width,
                                  std::size_t num_rows, double* out) {
  std::size_t r = 0;
  for (; r + 4 <= num_rows; r += 4) products_of_rows<4>(rows + r * width, vector, width, out + r);
  for (; r < num_rows; ++r) products_of_rows<1>(rows + r * width, vector, width, out + r);
}

template <std::size_t kRows>
HWY_INLINE void add_rows(const float* rows, const double* factors, std::size_t width, double* out) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t column = 0;
  for (; column + lanes <= width; column += lanes) {
    auto sum = hn::LoadU(d, out + column);
    for (std::size_t r = 0; r < kRows; ++r) {
      sum = hn::MulAdd(load_promoted(rows + r * width + column), hn::Set(d, factors[r]), sum);
    }
    hn::StoreU(sum, d, out + column);
  }
  for (; column < width; ++column) {
    for (std::size_t r = 0; r < kRows; ++r) {
      out[column] += static_cast<double>(rows[r * width + column]) * factors[r];
    }
  }
}

HWY_ATTR void add_weighted_rows_kernel(const float* rows, const double* factors, std::size_t width,
                                       std::size_t num_rows, double* out) {
  std::size_t r = 0;
  for (; r + 4 <= num_rows; r += 4) add_rows<4>(rows + r * width, factors + r, width, out);
  for (; r < num_rows; ++r) add_rows<1>(rows + r * width, factors + r, width, out);
}

using Group = hn::CappedTag<float, kVectorGroup>;

/// Products of kRows rows with kGroups groups of vectors, kept in registers. A group is one
/// register or, on machines with short ones, several.
template <std::size_t kRows, std::size_t kGroups>
HWY_INLINE void product_tile(const float* rows, std::size_t width, const float* vectors,
                             std::size_t stride, float* out) {
  const Group d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t part = 0; part < kVectorGroup; part += lanes) {
    decltype(hn::Zero(d)) sums[kRows][kGroups];
    for (auto& row : sums) {
      for (auto& sum : row) sum = hn::Zero(d);
    }
    for (std::size_t f = 0; f < width; ++f) {
      decltype(hn::Zero(d)) factors[kGroups];
      for (std::size_t g = 0; g < kGroups; ++g) {
        factors[g] = hn::LoadU(d, vectors + f * stride + g * kVectorGroup + part);
      }
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto value = hn::Set(d, rows[r * width + f]);
        for (std::size_t g = 0; g < kGroups; ++g) {
          sums[r][g] = hn::MulAdd(value, factors[g], sums[r][g]);
        }
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        hn::StoreU(sums[r][g], d, out + r * stride + g * kVectorGroup + part);
      }
    }
  }
}

template <std::size_t kGroups>
HWY_INLINE void product_columns(const float* rows, std::size_t width, std::size_t num_rows,
                                const float* vectors, std::size_t stride, float* out) {
  constexpr std::size_t kRows = 4;
  std::size_t r = 0;
  for (; r + kRows <= num_rows; r += kRows) {
    product_tile<kRows, kGroups>(rows + r * width, width, vectors, stride, out + r * stride);
  }
  for (; r < num_rows; ++r) {
    product_tile<1, kGroups>(rows + r * width, width, vectors, stride, out + r * stride);
  }
}

/// Adds the outer products of kRows rows with kGroups groups of their factors.
template <std::size_t kRows, std::size_t kGroups>
HWY_INLINE void add_tile(const float* rows, std::size_t width, const float* factors,
                         std::size_t stride, float* out) {
  const Group d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t part = 0; part < kVectorGroup; part += lanes) {
    decltype(hn::Zero(d)) scale[kRows][kGroups];
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        scale[r][g] = hn::LoadU(d, factors + r * stride + g * kVectorGroup + part);
      }
    }
    for (std::size_t f = 0; f < width; ++f) {
      float* target = out + f * stride + part;
      decltype(hn::Zero(d)) sums[kGroups];
      for (std::size_t g = 0; g < kGroups; ++g) sums[g] = hn::LoadU(d, target + g * kVectorGroup);
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto value = hn::Set(d, rows[r * width + f]);
        for (std::size_t g = 0; g < kGroups; ++g) {
          sums[g] = hn::MulAdd(value, scale[r][g], sums[g]);
        }
      }
      for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(sums[g], d, target + g * kVectorGroup);
    }
  }
}

template <std::size_t kGroups>
HWY_INLINE void add_columns(const float* rows, std::size_t width, std::size_t num_rows,
                            const float* factors, std::size_t stride, float* out) {
  constexpr std::size_t kRows = kGroups == 1 ? 8 : 4;
  std::size_t r = 0;
  for (; r + kRows <= num_rows; r += kRows) {
    add_tile<kRows, kGroups>(rows + r * width, width, factors + r * stride, stride, out);
  }
  for (; r < num_rows; ++r) {
    add_tile<1, kGroups>(rows + r * width, width, factors + r * stride, stride, out);
  }
}

HWY_ATTR void row_products_many_kernel(const float* rows, std::size_t width, std::size_t num_rows,
                                       const float* vectors, std::size_t stride, float* out) {
  std::size_t column = 0;
  for (; column + 3 * kVectorGroup <= stride; column += 3 * kVectorGroup) {
    product_columns<3>(rows, width, num_rows, vectors + column, stride, out + column);
  }
  if (column + 2 * kVectorGroup <= stride) {
    product_columns<2>(rows, width, num_rows, vectors + column, stride, out + column);
  } else if (column < stride) {
    product_columns<1>(rows, width, num_rows, vectors + column, stride, out + column);
  }
}

HWY_ATTR void add_weighted_rows_many_kernel(const float* rows, std::size_t width,
                                            std::size_t num_rows, const float* factors,
                                            std::size_t stride, float* out) {
  std::size_t column = 0;
  for (; column + 3 * kVectorGroup <= stride; column += 3 * kVectorGroup) {
    add_columns<3>(rows, width, num_rows, factors + column, stride, out + column);
  }
  if (column + 2 * kVectorGroup <= stride) {
    add_columns<2>(rows, width, num_rows, factors + column, stride, out + column);
  } else if (column < stride) {
    add_columns<1>(rows, width, num_rows, factors + column, stride, out + column);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rankine {

HWY_EXPORT(row_products_kernel);
HWY_EXPORT(add_weighted_rows_kernel);
HWY_EXPORT(row_products_many_kernel);
HWY_EXPORT(add_weighted_rows_many_kernel);

void row_products(const float* rows, std::span<const double> vector, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(row_products_kernel)
  (rows, vector.data(), vector.size(), out.size(), out.data());
}

void add_weighted_rows(const float* rows, std::span<const double> factors, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_kernel)
  (rows, factors.data(), out.size(), factors.size(), out.data());
}

void row_products(const float* rows, std::size_t width, std::size_t num_rows,
                  std::span<const float> vectors, std::size_t num_vectors, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(row_products_many_kernel)
  (rows, width, num_rows, vectors.data(), num_vectors, out.data());
}

void add_weighted_rows(const float* rows, std::size_t width, std::size_t num_rows,
                       std::span<const float> factors, std::size_t num_vectors,
                       std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_many_kernel)
  (rows, width, num_rows, factors.data(), num_vectors, out.data());
}

}  // namespace rankine
#endif
