// A kernel of x - z is the Fourier transform of a probability density (Bochner's theorem), so
// averages of cosines at frequencies drawn from it approach the kernel: a normal density for RBF, a
// Cauchy density for Laplacian. Orthogonal frequencies, with lengths drawn as those of normal
// vectors, vary less. max(0, w . x) with normal w gives the arc-cosine kernel.
// Rahimi and Recht, "Random features for large-scale kernel machines", 2007; Yu, Suresh,
// Choromanski, Holtmann-Rice and Kumar, "Orthogonal random features", 2016; Sutherland and
// Schneider, "On the error of random Fourier features", 2015 (pairs of sine and cosine); Cho and
// Saul, "Kernel methods for deep learning", 2009.
#include "features/random_features.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "compute/kernel_blocks.hpp"
#include "linalg/orthogonal_rows.hpp"

namespace rankine {
namespace {

constexpr std::uint64_t kFrequencyStream = 0x66726571;
constexpr std::uint64_t kPhaseStream = 0x7068617365;
constexpr std::uint64_t kLengthStream = 0x6C656E67;

class RandomMap final : public FeatureMap {
 public:
  RandomMap(Approximation kind, DenseMatrix frequencies, std::vector<float> phases)
      : kind_(kind),
        frequencies_(std::move(frequencies)),
        phases_(std::move(phases)),
        packed_(frequencies_, phases_) {
    function_.kind =
        kind == Approximation::relu ? KernelFormula::Kind::relu : KernelFormula::Kind::cosine;
    function_.scale =
        static_cast<float>(std::sqrt(2.0 / static_cast<double>(frequencies_.num_rows)));
  }

  std::int64_t num_components() const override { return frequencies_.num_rows; }
  void map(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
           float* out) const override {
    kernel_block(rows, first, count, packed_, function_, out);
  }
  bool mixes_terms() const override { return false; }
  ScoringFunction fold(std::span<const double> weights) const override {
    RandomFunction folded{kind_, frequencies_, phases_, {weights.begin(), weights.end()}};
    for (double& weight : folded.weights) weight *= static_cast<double>(function_.scale);
    return folded;
  }

 private:
  Approximation kind_;
  DenseMatrix frequencies_;
  std::vector<float> phases_;
  PackedColumns packed_;
  KernelFormula function_;
};

/// `count` frequencies for the kernel, without its scale.
std::vector<double> unscaled_frequencies(Kernel kernel, Fourier how, std::int64_t count,
                                         std::int64_t width, std::uint64_t seed) {
  const Random random(seed, kFrequencyStream);
  std::vector<double> rows(static_cast<std::size_t>(count * width));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = kernel == Kernel::laplacian ? std::tan(std::numbers::pi * (random.uniform(k) - 0.5))
                                          : random.normal(k);
  }
  if (how != Fourier::orthogonal) return rows;
  const Random lengths(seed, kLengthStream);
  for (std::int64_t first = 0; first < count; first += width) {
    const std::int64_t here = std::min(width, count - first);
    const auto block = std::span(rows).subspan(static_cast<std::size_t>(first * width),
                                               static_cast<std::size_t>(here * width));
    make_rows_orthonormal(block, here, width);
    for (std::int64_t r = 0; r < here; ++r) {  // the length of a normal vector
      double square = 0;
      for (std::int64_t f = 0; f < width; ++f) {
        const double draw = lengths.normal(static_cast<std::uint64_t>((first + r) * width + f));
        square += draw * draw;
      }
      for (std::int64_t f = 0; f < width; ++f) {
        block[static_cast<std::size_t>(r * width + f)] *= std::sqrt(square);
      }
    }
  }
  return rows;
}

}  // namespace

std::unique_ptr<FeatureMap> draw_random_features(const FeatureMapOptions& options,
                                                 const KernelSpec& kernel,
                                                 std::int64_t num_features, std::uint64_t seed,
                                                 MapReport& report) {
  const bool relu = options.approximation == Approximation::relu;
  const bool paired = !relu && options.fourier != Fourier::plain;
  const std::int64_t frequencies =
      paired ? std::max<std::int64_t>(1, options.n_components / 2) : options.n_components;
  const auto drawn = unscaled_frequencies(relu ? Kernel::linear : kernel.kind,
                                          relu ? Fourier::plain : options.fourier, frequencies,
                                          num_features, seed);
  double scale = 1;
  if (kernel.kind == Kernel::rbf) scale = std::sqrt(2 * kernel.gamma);
  if (kernel.kind == Kernel::laplacian) scale = kernel.gamma;
  const std::size_t copies = paired ? 2 : 1;
  std::vector<float> values;
  std::vector<float> phases;
  values.reserve(drawn.size() * copies);
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (const double value : drawn) values.push_back(static_cast<float>(scale * value));
  }
  const Random random(seed, kPhaseStream);
  for (std::size_t k = 0; k < static_cast<std::size_t>(frequencies) * copies; ++k) {
    if (relu) {
      phases.push_back(static_cast<float>(random.normal(k)));
    } else if (paired) {  // cos(t - pi/2) = sin(t)
      phases.push_back(k < static_cast<std::size_t>(frequencies)
                           ? 0.0F
                           : -static_cast<float>(std::numbers::pi / 2));
    } else {
      phases.push_back(static_cast<float>(2 * std::numbers::pi * random.uniform(k)));
    }
  }
  const auto total = static_cast<std::int64_t>(phases.size());
  report.components = total;
  return std::make_unique<RandomMap>(options.approximation,
                                     DenseMatrix{total, num_features, std::move(values)},
                                     std::move(phases));
}

}  // namespace rankine
