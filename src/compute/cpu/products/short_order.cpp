// Among integers, key j <= key i is key j < key i + 1: what goes before i is then one comparison
// for all j, with key i + 1 where j is before i and with key i where it is not.
#include "compute/cpu/products/short_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/contract.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/cpu/products/short_order.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rankine {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Keys = hn::CappedTag<std::int64_t, 8>;

HWY_ATTR void order_by_counting_kernel(const std::int64_t* keys, std::size_t size,
                                       std::uint32_t* order) {
  constexpr std::size_t kVectors = 2;
  constexpr std::size_t kMostLanes = hn::MaxLanes(Keys());
  const Keys d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t block = kVectors * lanes;
  for (std::size_t first = 0; first < size; first += block) {
    HWY_ALIGN std::int64_t own[kVectors * kMostLanes] = {};
    std::copy(keys + first, keys + std::min(size, first + block), own);
    const auto own0 = hn::Load(d, own);
    const auto own1 = hn::Load(d, own + lanes);
    const auto next0 = hn::Add(own0, hn::Set(d, 1));
    const auto next1 = hn::Add(own1, hn::Set(d, 1));
    auto before0 = hn::Zero(d);
    auto before1 = hn::Zero(d);
    const auto count = [&](std::int64_t key, auto limit0, auto limit1) HWY_ATTR {
      const auto other = hn::Set(d, key);
      before0 = hn::Sub(before0, hn::VecFromMask(d, hn::Gt(limit0, other)));
      before1 = hn::Sub(before1, hn::VecFromMask(d, hn::Gt(limit1, other)));
    };
    std::size_t j = 0;
    for (; j < first; ++j) count(keys[j], next0, next1);
    for (; j < std::min(size, first + lanes); ++j) {
      const auto is_not_after = hn::FirstN(d, j - first + 1);
      count(keys[j], hn::IfThenElse(is_not_after, own0, next0), next1);
    }
    for (; j < std::min(size, first + block); ++j) {
      const auto is_not_after = hn::FirstN(d, j - first - lanes + 1);
      count(keys[j], own0, hn::IfThenElse(is_not_after, own1, next1));
    }
    for (; j < size; ++j) count(keys[j], own0, own1);
    HWY_ALIGN std::int64_t places[kVectors * kMostLanes];
    hn::Store(before0, d, places);
    hn::Store(before1, d, places + lanes);
    for (std::size_t k = 0; k < std::min(block, size - first); ++k) {
      order[places[k]] = static_cast<std::uint32_t>(first + k);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rankine {

HWY_EXPORT(order_by_counting_kernel);

void order_by_counting(std::span<const std::int64_t> keys, std::span<std::uint32_t> order) {
  RANKINE_ASSERT(keys.size() == order.size() && keys.size() <= kMostCountedKeys);
  HWY_DYNAMIC_DISPATCH(order_by_counting_kernel)(keys.data(), keys.size(), order.data());
}

}  // namespace rankine
#endif
