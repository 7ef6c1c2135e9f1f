// Kernel values between rows of feature matrices, and the gamma that suits the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/feature_map.hpp>

#include "base/collective.hpp"
#include "compute/kernel_blocks.hpp"

namespace rankine {

std::int64_t num_rows(const FeatureMatrix& matrix);
std::int64_t num_columns(const FeatureMatrix& matrix);

/// The rows at `indices`, in that order, stored as `matrix` is.
FeatureMatrix take_rows(const FeatureMatrix& matrix, std::span<const std::int64_t> indices);

/// The rows at these indices among the rows of all processes, of which `matrix` has this one's;
/// everyone gets them all. All processes call it with the same indices.
FeatureMatrix gather_rows(const FeatureMatrix& matrix, std::span<const std::int64_t> indices,
                          Collective& collective);

/// The rows of all `parts`, one under the other. Requires: the same storage and width for all.
FeatureMatrix stack_rows(std::span<const FeatureMatrix> parts);

/// How kernel_block computes the kernel in single precision. Not for precomputed.
KernelFormula kernel_formula(const KernelSpec& kernel);

/// k(row a, row b) in double. Not for precomputed.
double kernel_value(const KernelSpec& kernel, const FeatureMatrix& matrix, std::int64_t a,
                    std::int64_t b);

/// The kernel of all rows with each other in double, row-major. Cost: rows^2 * columns / 2.
std::vector<double> kernel_gram(const KernelSpec& kernel, const FeatureMatrix& rows, int threads);

/// The same in two steps: what the kernel is a function of, x . z, |x - z|_2^2 or |x - z|_1, which
/// no gamma changes (entry (a, b), b <= a, at a (a + 1) / 2 + b), and the function of it.
std::vector<double> row_comparisons(Kernel kind, const FeatureMatrix& rows, int threads);
std::vector<double> kernel_gram(const KernelSpec& kernel, std::span<const double> comparisons,
                                std::int64_t num_rows, int threads);

/// 1 / (median of |x - z|_2^2, or for laplacian of |x - z|_1) over up to 1,000 random pairs of
/// different rows; for polynomial 1 / (mean of |x|^2). 1 where that is 0 or the kernel has no
/// gamma. Pairs are drawn by the rows' numbers among those of all processes.
double data_gamma(Kernel kernel, const FeatureMatrix& rows, std::uint64_t seed,
                  Collective& collective = one_process());

}  // namespace rankine
