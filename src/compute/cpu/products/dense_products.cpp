// Products with one vector take one row after the other, in four sums: memory is then read as one
// stream, which the processor follows; four rows side by side are as fast in cache and nearly half
// as fast from memory. The transpose finds its rows in cache and takes several at a time, so that
// one load and store of `out` serves them all; meanwhile it prefetches a line of the next query's
// rows now and then, because memory would be idle. With several vectors the lanes run along the
// vectors: a tile of rows x vectors stays in registers.
#include "compute/cpu/products/dense_products.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/cpu/products/dense_products.cpp"
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

constexpr std::size_t kSums = 4;         // independent ones hide the latency of an addition
constexpr std::size_t kPrefetch = 1024;  // bytes ahead, in rows too short to be followed
constexpr std::size_t kShortRow = 64;    // floats
constexpr std::size_t kCacheLine = 64;

HWY_INLINE auto load_values(Doubles /*d*/, const float* from) {
  return load_promoted(from);
}
using Singles = hn::ScalableTag<float>;
HWY_INLINE auto load_values(Singles d, const float* from) {
  return hn::LoadU(d, from);
}

/// Prefetches the cache line so many bytes ahead; the address may lie outside our memory.
HWY_INLINE void ask_for(const float* from, std::size_t bytes) {
  hwy::Prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(from) + bytes));
}

/// Products of rows with one vector. A column's sum depends on the column alone, and rows go on as
/// if with zeros, so that columns of zeros at their end change nothing.
template <class D, class T = hn::TFromD<D>>
class RowProducts {
 public:
  HWY_INLINE RowProducts(const T* vector, std::size_t width) : vector_(vector), width_(width) {
    const std::size_t lanes = hn::Lanes(d_);
    const std::size_t rest = width % lanes;
    std::fill(rest_, rest_ + lanes, T{0});
    std::copy(vector + (width - rest), vector + width, rest_);
  }

  /// `floats_after` follow the row and may be read.
  template <bool kIsShort>
  HWY_INLINE double of(const float* row, std::size_t floats_after) const {
    const std::size_t lanes = hn::Lanes(d_);
    decltype(hn::Zero(d_)) sums[kSums];
    for (auto& sum : sums) sum = hn::Zero(d_);
    std::size_t column = 0;
    for (; column + kSums * lanes <= width_; column += kSums * lanes) {
      if constexpr (kIsShort) {
        for (std::size_t byte = 0; byte < kSums * lanes * sizeof(float); byte += kCacheLine) {
          ask_for(row + column, byte + kPrefetch);
        }
      }
      for (std::size_t k = 0; k < kSums; ++k) {
        sums[k] = hn::MulAdd(load_values(d_, row + column + k * lanes),
                             hn::LoadU(d_, vector_ + column + k * lanes), sums[k]);
      }
    }
    for (auto& sum : sums) {
      if (column + lanes <= width_) {
        sum = hn::MulAdd(load_values(d_, row + column), hn::LoadU(d_, vector_ + column), sum);
      } else if (column < width_) {
        sum = hn::MulAdd(rest_of(row + column, floats_after), hn::Load(d_, rest_), sum);
      }
      column += lanes;
    }
    const auto total = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
    return static_cast<double>(hn::GetLane(hn::SumOfLanes(d_, total)));
  }

 private:
  HWY_INLINE auto rest_of(const float* from, std::size_t floats_after) const {
    const std::size_t lanes = hn::Lanes(d_);
    const std::size_t rest = width_ % lanes;
    if (floats_after >= lanes) {
      return hn::IfThenElseZero(hn::FirstN(d_, rest), load_values(d_, from));
    }
    HWY_ALIGN float values[hn::MaxLanes(D())] = {};
    std::copy(from, from + rest, values);
    return load_values(d_, values);
  }

  D d_;
  const T* vector_;
  std::size_t width_;
  HWY_ALIGN T rest_[hn::MaxLanes(D())];  // of the vector, zeros after it
};

template <class D, class T>
HWY_INLINE void multiply_rows(D /*d*/, const float* rows, const T* vector, std::size_t width,
                              std::size_t num_rows, double* out) {
  const RowProducts<D> product(vector, width);
  const auto multiply = [&]<bool kIsShort>(std::bool_constant<kIsShort>) HWY_ATTR {
    for (std::size_t r = 0; r < num_rows; ++r) {
      out[r] = product.template of<kIsShort>(rows + r * width, (num_rows - 1 - r) * width);
    }
  };
  if (width < kShortRow) {
    multiply(std::true_type{});
  } else {
    multiply(std::false_type{});
  }
}

HWY_ATTR void row_products_kernel(const float* rows, const double* vector, std::size_t width,
                                  std::size_t num_rows, double* out) {
  multiply_rows(Doubles(), rows, vector, width, num_rows, out);
}

HWY_ATTR void row_products_single_kernel(const float* rows, const float* vector, std::size_t width,
                                         std::size_t num_rows, double* out) {
  multiply_rows(Singles(), rows, vector, width, num_rows, out);
}

/// Adds kRows rows. The columns after the last whole register are in one that reaches back over
/// others, to which it adds nothing, or one by one where there is none.
template <std::size_t kRows>
HWY_INLINE void add_rows_single(const float* rows, const double* factors, std::size_t width,
                                float* out, Prefetcher& ahead) {
  const Singles d;
  const std::size_t lanes = hn::Lanes(d);
  if (width < lanes) {
    for (std::size_t column = 0; column < width; ++column) {
      for (std::size_t r = 0; r < kRows; ++r) {
        out[column] += rows[r * width + column] * static_cast<float>(factors[r]);
      }
    }
    return;
  }
  decltype(hn::Zero(d)) factor[kRows];
  for (std::size_t r = 0; r < kRows; ++r) factor[r] = hn::Set(d, static_cast<float>(factors[r]));
  const auto added = [&](std::size_t column, auto sum) HWY_ATTR {
    auto odd = hn::Zero(d);
    for (std::size_t r = 0; r < kRows; ++r) {
      auto& target = r % 2 == 0 ? sum : odd;
      target = hn::MulAdd(hn::LoadU(d, rows + r * width + column), factor[r], target);
    }
    return hn::Add(sum, odd);
  };
  std::size_t column = 0;
  for (; column + lanes <= width; column += lanes) {
    if constexpr (kRows > 1) ahead.prefetch();
    hn::StoreU(added(column, hn::LoadU(d, out + column)), d, out + column);
  }
  if (column == width) return;
  const std::size_t first = width - lanes;
  const auto before = hn::LoadU(d, out + first);
  const auto is_done = hn::FirstN(d, column - first);
  hn::StoreU(hn::IfThenElse(is_done, before, added(first, before)), d, out + first);
}

HWY_ATTR void add_weighted_rows_single_kernel(const float* rows, const double* factors,
                                              std::size_t width, std::size_t num_rows, float* out,
                                              Prefetcher* memory) {
  Prefetcher ahead = *memory;  // a copy stays in registers
  std::size_t r = 0;
  const auto add = [&]<std::size_t kRows>(std::integral_constant<std::size_t, kRows>) HWY_ATTR {
    for (; r + kRows <= num_rows; r += kRows) {
      add_rows_single<kRows>(rows + r * width, factors + r, width, out, ahead);
    }
  };
  add(std::integral_constant<std::size_t, 12>{});  // with two sums what 16 registers hold
  add(std::integral_constant<std::size_t, 4>{});
  add(std::integral_constant<std::size_t, 2>{});
  add(std::integral_constant<std::size_t, 1>{});
  *memory = ahead;
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

template <class T>
using Group = hn::CappedTag<T, kVectorGroup<T>>;

// Features taken at a time, so that their part of the vectors stays in the nearest cache.
constexpr std::size_t kChunk = 128;
constexpr std::size_t kFeaturesALine = 8;  // of a tile, between two prefetched cache lines

/// Some features of kRows rows, as the arithmetic wants them: doubles are converted once.
template <std::size_t kRows, class T>
class RowChunk {
 public:
  HWY_INLINE RowChunk(const float* rows, std::size_t width, std::size_t count) {
    if constexpr (std::is_same_v<T, float>) {
      first_ = rows;
      stride_ = width;
    } else {
      const Doubles d;
      const std::size_t lanes = hn::Lanes(d);
      for (std::size_t r = 0; r < kRows; ++r) {
        std::size_t f = 0;
        for (; f + lanes <= count; f += lanes) {
          hn::StoreU(load_promoted(rows + r * width + f), d, values_ + r * kChunk + f);
        }
        for (; f < count; ++f) values_[r * kChunk + f] = static_cast<T>(rows[r * width + f]);
      }
      first_ = values_;
      stride_ = kChunk;
    }
  }
  HWY_INLINE T operator()(std::size_t row, std::size_t f) const {
    return first_[row * stride_ + f];
  }

 private:
  const T* first_;
  std::size_t stride_;
  HWY_ALIGN T values_[std::is_same_v<T, float> ? 1 : kRows * kChunk];
};

/// Adds the products of kRows rows with kGroups groups of vectors over `count` features; a tile of
/// them stays in registers. A group is one register or, on machines with short ones, several.
template <std::size_t kRows, std::size_t kGroups, class T>
HWY_INLINE void product_tile(const float* rows, std::size_t width, std::size_t count,
                             const T* vectors, std::size_t stride, T* out, Prefetcher& ahead) {
  const Group<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const RowChunk<kRows, T> values(rows, width, count);
  for (std::size_t part = 0; part < kVectorGroup<T>; part += lanes) {
    decltype(hn::Zero(d)) sums[kRows][kGroups];
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        sums[r][g] = hn::LoadU(d, out + r * stride + g * kVectorGroup<T> + part);
      }
    }
    for (std::size_t f = 0; f < count; ++f) {
      if (f % kFeaturesALine == 0) ahead.prefetch();
      decltype(hn::Zero(d)) factors[kGroups];
      for (std::size_t g = 0; g < kGroups; ++g) {
        factors[g] = hn::LoadU(d, vectors + f * stride + g * kVectorGroup<T> + part);
      }
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto value = hn::Set(d, values(r, f));
        for (std::size_t g = 0; g < kGroups; ++g) {
          sums[r][g] = hn::MulAdd(value, factors[g], sums[r][g]);
        }
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        hn::StoreU(sums[r][g], d, out + r * stride + g * kVectorGroup<T> + part);
      }
    }
  }
}

/// Adds the outer products of `count` features of kRows rows with kGroups groups of their factors.
template <std::size_t kRows, std::size_t kGroups, class T>
HWY_INLINE void add_tile(const float* rows, std::size_t width, std::size_t count, const T* factors,
                         std::size_t stride, T* out, Prefetcher& ahead) {
  const Group<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const RowChunk<kRows, T> values(rows, width, count);
  for (std::size_t part = 0; part < kVectorGroup<T>; part += lanes) {
    decltype(hn::Zero(d)) scale[kRows][kGroups];
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        scale[r][g] = hn::LoadU(d, factors + r * stride + g * kVectorGroup<T> + part);
      }
    }
    for (std::size_t f = 0; f < count; ++f) {
      if (f % kFeaturesALine == 0) ahead.prefetch();
      T* target = out + f * stride + part;
      decltype(hn::Zero(d)) sums[kGroups];
      for (std::size_t g = 0; g < kGroups; ++g)
        sums[g] = hn::LoadU(d, target + g * kVectorGroup<T>);
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto value = hn::Set(d, values(r, f));
        for (std::size_t g = 0; g < kGroups; ++g) {
          sums[g] = hn::MulAdd(value, scale[r][g], sums[g]);
        }
      }
      for (std::size_t g = 0; g < kGroups; ++g)
        hn::StoreU(sums[g], d, target + g * kVectorGroup<T>);
    }
  }
}

template <std::size_t kGroups, class T>
HWY_INLINE void product_columns(const float* rows, std::size_t width, std::size_t num_rows,
                                const T* vectors, std::size_t stride, T* out, Prefetcher& ahead) {
  constexpr std::size_t kRows = 4;
  for (std::size_t f = 0; f < width; f += kChunk) {
    const std::size_t count = std::min(kChunk, width - f);
    const T* here = vectors + f * stride;
    std::size_t r = 0;
    for (; r + kRows <= num_rows; r += kRows) {
      product_tile<kRows, kGroups>(rows + r * width + f, width, count, here, stride,
                                   out + r * stride, ahead);
    }
    for (; r < num_rows; ++r) {
      product_tile<1, kGroups>(rows + r * width + f, width, count, here, stride, out + r * stride,
                               ahead);
    }
  }
}

template <std::size_t kGroups, class T>
HWY_INLINE void add_columns(const float* rows, std::size_t width, std::size_t num_rows,
                            const T* factors, std::size_t stride, T* out, Prefetcher& ahead) {
  constexpr std::size_t kRows = kGroups == 1 ? 8 : 4;
  for (std::size_t f = 0; f < width; f += kChunk) {
    const std::size_t count = std::min(kChunk, width - f);
    T* here = out + f * stride;
    std::size_t r = 0;
    for (; r + kRows <= num_rows; r += kRows) {
      add_tile<kRows, kGroups>(rows + r * width + f, width, count, factors + r * stride, stride,
                               here, ahead);
    }
    for (; r < num_rows; ++r) {
      add_tile<1, kGroups>(rows + r * width + f, width, count, factors + r * stride, stride, here,
                           ahead);
    }
  }
}

template <class T>
HWY_INLINE void row_products_many(const float* rows, std::size_t width, std::size_t num_rows,
                                  const T* vectors, std::size_t stride, T* out,
                                  Prefetcher* memory) {
  Prefetcher ahead = memory != nullptr ? *memory : Prefetcher();
  std::fill(out, out + num_rows * stride, T{0});
  std::size_t column = 0;
  for (; column + 3 * kVectorGroup<T> <= stride; column += 3 * kVectorGroup<T>) {
    product_columns<3>(rows, width, num_rows, vectors + column, stride, out + column, ahead);
  }
  if (column + 2 * kVectorGroup<T> <= stride) {
    product_columns<2>(rows, width, num_rows, vectors + column, stride, out + column, ahead);
  } else if (column < stride) {
    product_columns<1>(rows, width, num_rows, vectors + column, stride, out + column, ahead);
  }
  if (memory != nullptr) *memory = ahead;
}

template <class T>
HWY_INLINE void add_weighted_rows_many(const float* rows, std::size_t width, std::size_t num_rows,
                                       const T* factors, std::size_t stride, T* out,
                                       Prefetcher* memory) {
  Prefetcher ahead = memory != nullptr ? *memory : Prefetcher();
  std::size_t column = 0;
  for (; column + 3 * kVectorGroup<T> <= stride; column += 3 * kVectorGroup<T>) {
    add_columns<3>(rows, width, num_rows, factors + column, stride, out + column, ahead);
  }
  if (column + 2 * kVectorGroup<T> <= stride) {
    add_columns<2>(rows, width, num_rows, factors + column, stride, out + column, ahead);
  } else if (column < stride) {
    add_columns<1>(rows, width, num_rows, factors + column, stride, out + column, ahead);
  }
  if (memory != nullptr) *memory = ahead;
}

HWY_ATTR void row_products_many_single_kernel(const float* rows, std::size_t width,
                                              std::size_t num_rows, const float* vectors,
                                              std::size_t stride, float* out, Prefetcher* ahead) {
  row_products_many(rows, width, num_rows, vectors, stride, out, ahead);
}
HWY_ATTR void row_products_many_kernel(const float* rows, std::size_t width, std::size_t num_rows,
                                       const double* vectors, std::size_t stride, double* out,
                                       Prefetcher* ahead) {
  row_products_many(rows, width, num_rows, vectors, stride, out, ahead);
}
HWY_ATTR void add_weighted_rows_many_single_kernel(const float* rows, std::size_t width,
                                                   std::size_t num_rows, const float* factors,
                                                   std::size_t stride, float* out,
                                                   Prefetcher* ahead) {
  add_weighted_rows_many(rows, width, num_rows, factors, stride, out, ahead);
}
HWY_ATTR void add_weighted_rows_many_kernel(const float* rows, std::size_t width,
                                            std::size_t num_rows, const double* factors,
                                            std::size_t stride, double* out, Prefetcher* ahead) {
  add_weighted_rows_many(rows, width, num_rows, factors, stride, out, ahead);
}

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rankine {

HWY_EXPORT(row_products_kernel);
HWY_EXPORT(add_weighted_rows_kernel);
HWY_EXPORT(row_products_single_kernel);
HWY_EXPORT(add_weighted_rows_single_kernel);
HWY_EXPORT(row_products_many_single_kernel);
HWY_EXPORT(row_products_many_kernel);
HWY_EXPORT(add_weighted_rows_many_single_kernel);
HWY_EXPORT(add_weighted_rows_many_kernel);

void row_products(const float* rows, std::span<const double> vector, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(row_products_kernel)
  (rows, vector.data(), vector.size(), out.size(), out.data());
}

void add_weighted_rows(const float* rows, std::span<const double> factors, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_kernel)
  (rows, factors.data(), out.size(), factors.size(), out.data());
}

void row_products_single(const float* rows, std::span<const float> vector, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(row_products_single_kernel)
  (rows, vector.data(), vector.size(), out.size(), out.data());
}

void add_weighted_rows_single(const float* rows, std::span<const double> factors,
                              std::span<float> out, Prefetcher& ahead) {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_single_kernel)
  (rows, factors.data(), out.size(), factors.size(), out.data(), &ahead);
}

void row_products(const float* rows, std::size_t width, std::size_t num_rows,
                  std::span<const float> vectors, std::size_t num_vectors, std::span<float> out,
                  Prefetcher* ahead) {
  if (num_rows == 0) return;
  HWY_DYNAMIC_DISPATCH(row_products_many_single_kernel)
  (rows, width, num_rows, vectors.data(), num_vectors, out.data(), ahead);
}

void add_weighted_rows(const float* rows, std::size_t width, std::size_t num_rows,
                       std::span<const float> factors, std::size_t num_vectors,
                       std::span<float> out, Prefetcher* ahead) {
  if (num_rows == 0) return;
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_many_single_kernel)
  (rows, width, num_rows, factors.data(), num_vectors, out.data(), ahead);
}

void row_products(const float* rows, std::size_t width, std::size_t num_rows,
                  std::span<const double> vectors, std::size_t num_vectors, std::span<double> out,
                  Prefetcher* ahead) {
  if (num_rows == 0) return;
  HWY_DYNAMIC_DISPATCH(row_products_many_kernel)
  (rows, width, num_rows, vectors.data(), num_vectors, out.data(), ahead);
}

void add_weighted_rows(const float* rows, std::size_t width, std::size_t num_rows,
                       std::span<const double> factors, std::size_t num_vectors,
                       std::span<double> out, Prefetcher* ahead) {
  if (num_rows == 0) return;
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_many_kernel)
  (rows, width, num_rows, factors.data(), num_vectors, out.data(), ahead);
}

}  // namespace rankine
#endif
