#include "features/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "base/parallel.hpp"
#include "base/system/growing_array.hpp"
#include "features/kernel.hpp"
#include "features/nystroem.hpp"
#include "features/random_features.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 192;
constexpr double kLargest =
    1e30;  // kernel value: single precision, and sums of them, still hold it

/// No value of a kernel is larger than the largest of a row with itself.
void check_range(const KernelSpec& kernel, const FeatureMatrix& rows) {
  double largest = 0;
  for (std::int64_t row = 0; row < num_rows(rows); ++row) {
    largest = std::max(largest, std::abs(kernel_value(kernel, rows, row, row)));
  }
  if (largest <= kLargest) return;
  throw Error(ErrorKind::option, "degree = " + std::to_string(kernel.degree) +
                                     ": with gamma = " + real_text(kernel.gamma) +
                                     " the kernel of a document is " + real_text(largest) +
                                     ", and at most 1e30 can be computed with");
}

}  // namespace

KernelSpec kernel_of(const FeatureMapOptions& options, const FeatureMatrix& rows,
                     std::uint64_t seed) {
  const double gamma = options.gamma > 0 ? options.gamma : data_gamma(options.kernel, rows, seed);
  if (options.kernel == Kernel::polynomial) {
    const KernelSpec kernel{options.kernel, gamma, options.degree, options.coef0};
    check_range(kernel, rows);
    return kernel;
  }
  return {.kind = options.kernel, .gamma = gamma};
}

bool has_gamma(Kernel kind) {
  return kind == Kernel::rbf || kind == Kernel::laplacian || kind == Kernel::polynomial;
}

void check_feature_map(const FeatureMapOptions& options) {
  FeatureMapOptions scratch = options;
  check_requirements(option_group("", scratch));
}

std::unique_ptr<FeatureMap> fit_feature_map(const FeatureMapOptions& options,
                                            const FeatureMatrix& rows, std::uint64_t seed,
                                            int threads, MapReport& report,
                                            KernelProductCache* kept) {
  check_feature_map(options);
  const KernelSpec kernel = kernel_of(options, rows, seed);
  report.gamma = has_gamma(kernel.kind) ? kernel.gamma : 0;
  auto map = options.approximation == Approximation::nystroem
                 ? fit_nystroem(options, kernel, rows, seed, threads, report, kept)
                 : draw_random_features(options, kernel, num_columns(rows), seed, report);
  report.rank = map->num_components();
  return map;
}

DenseMatrix map_rows(const FeatureMap& map, const FeatureMatrix& rows, int threads) {
  const std::int64_t count = num_rows(rows);
  const std::int64_t width = map.num_components();
  GrowingArray<float> values;
  values.resize(static_cast<std::size_t>(count * width));
  float* out = values.data();
  parallel_for((count + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    map.map(rows, first, std::min(kBlockRows, count - first), out + first * width);
  });
  return {count, width, values.finish()};
}

}  // namespace rankine
