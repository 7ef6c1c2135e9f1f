// How well each feature map stands in for its kernel: |K - Phi Phi^T| / |K| (Frobenius norms) over
// sampled documents, for every way of drawing landmarks and random features, against their number.
// The map is fitted on all documents. Prints CSV, which tools/map_error_plot draws.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <rankine/read.hpp>
#include <rankine/synth.hpp>

#include "base/random.hpp"
#include "compute/kernel_blocks.hpp"
#include "features/feature_map.hpp"
#include "features/kernel.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kSample = 1500;
constexpr std::uint64_t kSeeds = 3;
constexpr std::array<std::int64_t, 6> kComponents{50, 100, 200, 500, 1000, 2000};

Dataset benchmark_data(int argc, char** argv) {
  if (argc > 1) return read_letor(argv[1]);
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const std::filesystem::path folder = named != nullptr ? named : "build/letor";
  const auto fold = folder / "mq2007" / "Fold1" / "train.txt";
  if (std::filesystem::exists(fold)) return read_letor(fold.string());
  std::fprintf(stderr, "no %s; synthetic data instead\n", fold.c_str());
  return make_synthetic({}).data;
}

/// |K - Phi Phi^T| / |K| over `sample`.
double relative_error(const std::vector<double>& kernel, const FeatureMap& map,
                      const FeatureMatrix& sample) {
  const FeatureMatrix mapped = map_rows(map, sample, 0);
  const std::int64_t size = num_rows(mapped);
  std::vector<float> products(kernel.size());
  kernel_block(mapped, 0, size, PackedColumns(mapped), KernelFormula{}, products.data());
  double missed = 0;
  double whole = 0;
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    const double miss = kernel[k] - static_cast<double>(products[k]);
    missed += miss * miss;
    whole += kernel[k] * kernel[k];
  }
  return std::sqrt(missed / whole);
}

class KernelErrors {
 public:
  KernelErrors(const FeatureMatrix& rows, const FeatureMapOptions& options)
      : rows_(rows), options_(options), kernel_(kernel_of(options, rows, 1)) {
    const Random random(1, 0x73616D706C65);
    sample_ =
        take_rows(rows, random_subset(random, num_rows(rows), std::min(kSample, num_rows(rows))));
    gram_ = kernel_gram(kernel_, sample_, 0);
    options_.gamma = kernel_.gamma;
  }

  void landmarks(Landmarks how) {
    options_.approximation = Approximation::nystroem;
    options_.landmarks = how;
    print("nystroem " + std::string(name_of(how)));
  }
  void fourier(Fourier how) {
    options_.approximation = Approximation::fourier;
    options_.fourier = how;
    print("fourier " + std::string(name_of(how)));
  }

 private:
  /// The root of the mean square over seeds, and the mean of the rest.
  void print(const std::string& scheme) {
    for (const std::int64_t components : kComponents) {
      options_.n_components = components;
      double squares = 0;
      double rank = 0;
      double seconds = 0;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        MapReport report;
        const auto start = std::chrono::steady_clock::now();
        const auto map = fit_feature_map(options_, rows_, seed, 0, report);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double error = relative_error(gram_, *map, sample_);
        squares += error * error;
        rank += static_cast<double>(report.rank);
      }
      constexpr double kCount = kSeeds;
      std::printf("%s,%.4g,%s,%ld,%.0f,%.4g,%.3g\n", std::string(name_of(kernel_.kind)).c_str(),
                  kernel_.gamma, scheme.c_str(), static_cast<long>(components), rank / kCount,
                  std::sqrt(squares / kCount), seconds / kCount);
      std::fflush(stdout);
    }
  }

  const FeatureMatrix& rows_;
  FeatureMapOptions options_;
  KernelSpec kernel_;
  FeatureMatrix sample_;
  std::vector<double> gram_;
};

void all_schemes(const FeatureMatrix& rows, Kernel kernel, double gamma) {
  KernelErrors errors(rows, {.kernel = kernel, .gamma = gamma});
  for (const Landmarks how : {Landmarks::uniform, Landmarks::kmeans, Landmarks::rpcholesky}) {
    errors.landmarks(how);
  }
  errors.fourier(Fourier::plain);
  errors.fourier(Fourier::paired);
  if (kernel == Kernel::rbf) errors.fourier(Fourier::orthogonal);
}

}  // namespace
}  // namespace rankine

/// map_error_benchmark [LETOR FILE]
int main(int argc, char** argv) {
  using namespace rankine;
  const Dataset data = benchmark_data(argc, argv);
  std::printf("kernel,gamma,scheme,components,rank,error,seconds\n");
  all_schemes(data.features, Kernel::rbf, 0.03125);
  all_schemes(data.features, Kernel::laplacian, 0);
  return 0;
}
