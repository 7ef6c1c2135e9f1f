// Products with rows of so few columns that a vector of as many stays in registers: for the
// Hessian products of such rows, which memory no longer holds up. Included once for every target,
// by dense_products.cpp.
#if defined(RANKINE_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RANKINE_SHORT_ROWS_INL
#undef RANKINE_SHORT_ROWS_INL
#else
#define RANKINE_SHORT_ROWS_INL
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "base/prefetcher.hpp"

HWY_BEFORE_NAMESPACE();
namespace rankine {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2  // registers of eight floats or more

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMostShortColumns = 48;
using Eight = hn::CappedTag<float, 8>;

/// Calls body(std::integral_constant) with the number of registers that `width` columns fill.
template <class Body>
HWY_INLINE void with_registers(std::size_t width, const Body& body) {
  switch ((width + 7) / 8) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3>{});
    case 4:
      return body(std::integral_constant<std::size_t, 4>{});
    case 5:
      return body(std::integral_constant<std::size_t, 5>{});
    default:
      return body(std::integral_constant<std::size_t, 6>{});
  }
}

/// The registers of one row; the last may be filled in part, and is 0 beyond.
template <std::size_t kRegisters>
class ShortRow {
 public:
  HWY_INLINE explicit ShortRow(std::size_t width)
      : is_column_(hn::FirstN(Eight(), width - 8 * (kRegisters - 1))) {}
  HWY_INLINE auto load(const float* row, std::size_t index) const {
    if (index + 1 < kRegisters) return hn::LoadU(Eight(), row + 8 * index);
    return hn::MaskedLoad(is_column_, Eight(), row + 8 * index);
  }
  /// With what follows the row in place of zeros.
  static HWY_INLINE auto load_whole(const float* row, std::size_t index) {
    return hn::LoadU(Eight(), row + 8 * index);
  }
  HWY_INLINE void store(hn::Vec<Eight> values, float* row, std::size_t index) const {
    if (index + 1 < kRegisters) return hn::StoreU(values, Eight(), row + 8 * index);
    hn::BlendedStore(values, is_column_, Eight(), row + 8 * index);
  }

 private:
  hn::Mask<Eight> is_column_;
};

/// The sums of the lanes of four registers.
HWY_INLINE auto lane_sums(hn::Vec<Eight> a, hn::Vec<Eight> b, hn::Vec<Eight> c, hn::Vec<Eight> d) {
  const hn::RepartitionToWide<Eight> wide;
  const Eight eight;
  const auto halves = [&](auto first, auto second) HWY_ATTR {
    return hn::BitCast(wide, hn::Add(hn::InterleaveLower(eight, first, second),
                                     hn::InterleaveUpper(eight, first, second)));
  };
  const auto ab = halves(a, b);
  const auto cd = halves(c, d);
  const auto blocks = hn::Add(hn::BitCast(eight, hn::InterleaveLower(wide, ab, cd)),
                              hn::BitCast(eight, hn::InterleaveUpper(wide, ab, cd)));
  const hn::Half<Eight> half;
  return hn::Add(hn::LowerHalf(half, blocks), hn::UpperHalf(half, blocks));
}

HWY_ATTR inline void short_row_products(const float* rows, const float* vector, std::size_t width,
                                        std::size_t num_rows, double* out) {
  with_registers(width, [&](auto registers) HWY_ATTR {
    constexpr std::size_t kRegisters = registers;
    constexpr std::size_t kAhead = 1024;  // bytes
    constexpr std::size_t kCacheLine = 64;
    const Eight d;
    const ShortRow<kRegisters> columns(width);
    hn::Vec<Eight> factors[kRegisters];
    for (std::size_t k = 0; k < kRegisters; ++k) factors[k] = columns.load(vector, k);
    const auto product = [&](const float* row) HWY_ATTR {
      hn::Vec<Eight> even = hn::Zero(d);
      hn::Vec<Eight> odd = hn::Zero(d);
      for (std::size_t k = 0; k < kRegisters; ++k) {
        auto& sum = k % 2 == 0 ? even : odd;
        sum = hn::MulAdd(columns.load(row, k), factors[k], sum);
      }
      for (std::size_t byte = 0; byte < kRegisters * 8 * sizeof(float); byte += kCacheLine) {
        hwy::Prefetch(
            reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(row) + byte + kAhead));
      }
      return hn::Add(even, odd);
    };
    const hn::CappedTag<double, 4> doubles;
    std::size_t r = 0;
    for (; r + 4 <= num_rows; r += 4) {
      const float* row = rows + r * width;
      const auto first = product(row);
      const auto second = product(row + width);
      const auto third = product(row + 2 * width);
      const auto fourth = product(row + 3 * width);
      hn::StoreU(hn::PromoteTo(doubles, lane_sums(first, second, third, fourth)), doubles, out + r);
    }
    for (; r < num_rows; ++r) {
      const auto zero = hn::Zero(d);
      out[r] =
          static_cast<double>(hn::GetLane(lane_sums(product(rows + r * width), zero, zero, zero)));
    }
  });
}

/// Sums stay in registers, those of even and of odd rows apart.
HWY_ATTR inline void add_short_rows(const float* rows, const double* factors, std::size_t width,
                                    std::size_t num_rows, float* out, Prefetcher* memory) {
  with_registers(width, [&](auto registers) HWY_ATTR {
    constexpr std::size_t kRegisters = registers;
    const Eight d;
    const ShortRow<kRegisters> columns(width);
    Prefetcher ahead = *memory;
    hn::Vec<Eight> even[kRegisters];
    hn::Vec<Eight> odd[kRegisters];
    for (std::size_t k = 0; k < kRegisters; ++k) {
      even[k] = columns.load(out, k);
      odd[k] = hn::Zero(d);
    }
    std::size_t r = 0;
    // Lanes beyond the last column sum up what follows the rows, as long as something does, and are
    // not stored.
    for (; r + 2 <= num_rows && (num_rows - r - 1) * width >= 8 * kRegisters; r += 2) {
      const float* row = rows + r * width;
      const auto first = hn::Set(d, static_cast<float>(factors[r]));
      const auto second = hn::Set(d, static_cast<float>(factors[r + 1]));
      ahead.prefetch();
      for (std::size_t k = 0; k < kRegisters; ++k) {
        even[k] = hn::MulAdd(columns.load_whole(row, k), first, even[k]);
      }
      ahead.prefetch();
      for (std::size_t k = 0; k < kRegisters; ++k) {
        odd[k] = hn::MulAdd(columns.load_whole(row + width, k), second, odd[k]);
      }
    }
    for (; r < num_rows; ++r) {
      const auto factor = hn::Set(d, static_cast<float>(factors[r]));
      for (std::size_t k = 0; k < kRegisters; ++k) {
        even[k] = hn::MulAdd(columns.load(rows + r * width, k), factor, even[k]);
      }
    }
    for (std::size_t k = 0; k < kRegisters; ++k) columns.store(hn::Add(even[k], odd[k]), out, k);
    *memory = ahead;
  });
}

#else  // no row is short

constexpr std::size_t kMostShortColumns = 0;
inline void short_row_products(const float* /*rows*/, const float* /*vector*/,
                               std::size_t /*width*/, std::size_t /*num_rows*/, double* /*out*/) {}
inline void add_short_rows(const float* /*rows*/, const double* /*factors*/, std::size_t /*width*/,
                           std::size_t /*num_rows*/, float* /*out*/, Prefetcher* /*memory*/) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#endif
