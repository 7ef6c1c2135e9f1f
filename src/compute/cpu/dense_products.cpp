// Both kernels take four rows at a time: four independent sums hide the latency of a fused
// multiply-add in the products, and one load and store of `out` serves four rows in the transpose.
#include "compute/cpu/dense_products.hpp"

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
  for (std::size_t r = 0; r < kRows; ++r) {
    double total = hn::GetLane(hn::SumOfLanes(d, sums[r]));
    for (std::size_t rest = column; rest < width; ++rest) {
      total += static_cast<double>(rows[r * width + rest]) * vector[rest];
    }
    out[r] = total;
  }
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

}  // namespace HWY_NAMESPACE
}  // namespace rankine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rankine {

HWY_EXPORT(row_products_kernel);
HWY_EXPORT(add_weighted_rows_kernel);

void row_products(const float* rows, std::span<const double> vector, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(row_products_kernel)
  (rows, vector.data(), vector.size(), out.size(), out.data());
}

void add_weighted_rows(const float* rows, std::span<const double> factors, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(add_weighted_rows_kernel)
  (rows, factors.data(), out.size(), factors.size(), out.data());
}

}  // namespace rankine
#endif
