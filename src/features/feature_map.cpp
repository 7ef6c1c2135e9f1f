#include "features/feature_map.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <rankine/error.hpp>

#include "base/growing_array.hpp"
#include "base/parallel.hpp"
#include "features/kernel.hpp"
#include "features/nystroem.hpp"
#include "features/random_features.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 192;

}  // namespace

KernelSpec kernel_of(const FeatureMapOptions& options, const FeatureMatrix& rows,
                     std::uint64_t seed) {
  const double gamma = options.gamma > 0 ? options.gamma : data_gamma(options.kernel, rows, seed);
  if (options.kernel == Kernel::polynomial) {
    return {options.kernel, gamma, options.degree, options.coef0};
  }
  return {.kind = options.kernel, .gamma = gamma};
}

void check_feature_map(const FeatureMapOptions& options) {
  const std::string kernel(name_of(options.kernel));
  if (options.approximation == Approximation::fourier && options.kernel != Kernel::rbf &&
      options.kernel != Kernel::laplacian) {
    throw Error(ErrorKind::option,
                "approximation = 'fourier' is for the kernels rbf and laplacian, not " + kernel);
  }
  if (options.approximation == Approximation::fourier && options.fourier == Fourier::orthogonal &&
      options.kernel != Kernel::rbf) {
    throw Error(ErrorKind::option, "fourier = 'orthogonal' is for the kernel rbf, not " + kernel);
  }
  if (options.approximation == Approximation::relu && options.kernel != Kernel::linear) {
    throw Error(
        ErrorKind::option,
        "approximation = 'relu' has a kernel of its own (arc-cosine): leave out kernel = '" +
            kernel + "'");
  }
}

std::unique_ptr<FeatureMap> fit_feature_map(const FeatureMapOptions& options,
                                            const FeatureMatrix& rows, std::uint64_t seed,
                                            int threads, MapReport& report, KeptRows* kept) {
  check_feature_map(options);
  const KernelSpec kernel = kernel_of(options, rows, seed);
  report.gamma = kernel.gamma;
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
