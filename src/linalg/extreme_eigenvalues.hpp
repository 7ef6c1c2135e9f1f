// The ends of the spectrum of a symmetric matrix given by its products, by the Lanczos method.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace rankine {

struct SpectrumEnds {
  double least = 0;
  double largest = 0;
};

/// From within: least is never too small, largest never too large. Some dozens of steps find ends
/// that stand apart to many digits. Cost: one product per step.
SpectrumEnds extreme_eigenvalues(
    const std::function<void(std::span<const double> in, std::span<double> out)>& product,
    std::int64_t size, int steps = 60);

}  // namespace rankine
