#include "linalg/blas_access.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.hpp"

namespace rankine {
namespace {

TEST(BlasAccess, makes_calls_from_several_threads_right) {
  constexpr int kWidth = 46;
  constexpr int kRows = 512;
  std::vector<float> left(kWidth * kRows);
  std::vector<float> right(kWidth * kRows);
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] = static_cast<float>(k * 37 % 101) / 50 - 1;
    right[k] = static_cast<float>(k * 53 % 97) / 48 - 1;
  }
  const auto product = [&] {
    std::vector<float> out(kWidth * kWidth);
    const BlasAccess access;
    access->sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, kWidth, kWidth, kRows, 1, left.data(),
                  kWidth, right.data(), kWidth, 0, out.data(), kWidth);
    return out;
  };
  const auto expected = product();
  std::atomic<int> wrong{0};
  parallel_for(4, 4, [&](std::int64_t) {
    for (int repeat = 0; repeat < 500; ++repeat) wrong += product() == expected ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rankine
