// K is approximated by K(., Z) K(Z, Z)^-1 K(Z, .) for landmarks Z, so rows of K(., Z) times an
// inverse root are features with that kernel. The root is a pivoted Cholesky factor, which drops
// landmarks that add nothing, or the largest eigenpairs. Directions that are smaller than what
// single precision can tell are left out: they would be rounding errors, magnified.
// Williams and Seeger, "Using the Nystroem method to speed up kernel machines", 2001; Drineas and
// Mahoney, 2005; pivots: Fine and Scheinberg, "Efficient SVM training using low-rank kernel
// representations", 2001.
#include "features/nystroem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <rankine/error.hpp>

#include "features/kernel.hpp"
#include "features/kernel_product_cache.hpp"
#include "features/landmarks.hpp"
#include "features/precomputed.hpp"
#include "linalg/symmetric_factors.hpp"

namespace rankine {
namespace {

std::vector<float> singles(std::span<const double> values) {
  return {values.begin(), values.end()};
}

// Kernel values are in single precision. A direction that the landmarks span by less than this
// share of a kernel value would consist of their rounding errors, magnified.
constexpr double kResolution = 0x1p-19;

/// What follows the kernel values with the landmarks: T, in one of its two forms.
class Whitening {
 public:
  /// L^-1.
  explicit Whitening(PivotedCholesky cholesky)
      : inputs_(static_cast<std::int64_t>(cholesky.pivots.size())),
        outputs_(inputs_),
        factor_(std::move(cholesky.factor)),
        single_(singles(factor_)) {}
  /// S^-1/2 U^T; eigenvalues of `least` or less are left out.
  Whitening(const Eigenpairs& pairs, std::int64_t size, double least)
      : inputs_(size), triangular_(false) {
    const std::size_t all = pairs.values.size();
    std::size_t kept = 0;
    while (kept < all && pairs.values[kept] > least) ++kept;
    outputs_ = static_cast<std::int64_t>(kept);
    factor_.resize(static_cast<std::size_t>(size) * kept);
    for (std::size_t row = 0; row < static_cast<std::size_t>(size); ++row) {
      for (std::size_t k = 0; k < kept; ++k) {
        factor_[row * kept + k] = pairs.vectors[row * all + k] / std::sqrt(pairs.values[k]);
      }
    }
    single_ = singles(factor_);
  }

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return outputs_; }
  bool in_place() const { return triangular_; }

  /// Rows of kernel values to rows of features; `rows` may be `out` when in_place().
  void apply(float* rows, std::int64_t count, float* out) const {
    if (triangular_) {
      if (rows != out) std::copy(rows, rows + count * inputs_, out);
      solve_rows(single_, inputs_, out, count);
    } else {
      multiply_rows(rows, count, inputs_, single_, outputs_, out);
    }
  }
  /// T^T weights: the weights of the landmarks.
  std::vector<double> fold(std::span<const double> weights) const {
    if (triangular_) {
      std::vector<double> folded(weights.begin(), weights.end());
      solve_transposed(factor_, inputs_, folded);
      return folded;
    }
    std::vector<double> folded(static_cast<std::size_t>(inputs_));
    for (std::size_t row = 0; row < folded.size(); ++row) {
      folded[row] = std::inner_product(
          weights.begin(), weights.end(),
          factor_.begin() + static_cast<std::ptrdiff_t>(row * weights.size()), 0.0);
    }
    return folded;
  }

 private:
  std::int64_t inputs_ = 0;
  std::int64_t outputs_ = 0;
  bool triangular_ = true;
  std::vector<double> factor_;  // L, or U S^-1/2
  std::vector<float> single_;
};

class NystroemMap final : public FeatureMap {
 public:
  NystroemMap(const KernelSpec& kernel, FeatureMatrix landmarks, Whitening whitening,
              KernelProductCache* kept)
      : kernel_(kernel),
        function_(kernel_formula(kernel)),
        landmarks_(std::move(landmarks)),
        packed_(landmarks_),
        whitening_(std::move(whitening)),
        kept_(kept),
        products_(kept == nullptr ? nullptr : kept->columns(kernel, landmarks_)) {}

  std::int64_t num_components() const override { return whitening_.outputs(); }
  void map(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
           float* out) const override {
    if (whitening_.in_place()) {
      kernel_values(rows, first, count, out);
      whitening_.apply(out, count, out);
      return;
    }
    std::vector<float> values(static_cast<std::size_t>(count * whitening_.inputs()));
    kernel_values(rows, first, count, values.data());
    whitening_.apply(values.data(), count, out);
  }
  ScoringFunction fold(std::span<const double> weights) const override {
    return KernelFunction{kernel_, landmarks_, whitening_.fold(weights)};
  }

 private:
  void kernel_values(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
                     float* out) const {
    if (products_ != nullptr && is_same_memory(rows, kept_->rows())) {
      products_->block(first, count, packed_, function_, out);
    } else {
      kernel_block(rows, first, count, packed_, function_, out);
    }
  }

  KernelSpec kernel_;
  KernelFormula function_;
  FeatureMatrix landmarks_;
  PackedColumns packed_;
  Whitening whitening_;
  const KernelProductCache* kept_;
  std::unique_ptr<const KeptColumns> products_;  // of the kept rows; null: there are none
};

/// Landmarks are columns of the data: the model is linear in them.
class PrecomputedMap final : public FeatureMap {
 public:
  PrecomputedMap(std::vector<std::int64_t> columns, std::int64_t num_features, Whitening whitening)
      : columns_(std::move(columns)),
        num_features_(num_features),
        whitening_(std::move(whitening)) {}

  std::int64_t num_components() const override { return whitening_.outputs(); }
  void map(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
           float* out) const override {
    std::vector<float> values(static_cast<std::size_t>(count * whitening_.inputs()));
    std::size_t next = 0;
    for (std::int64_t r = 0; r < count; ++r) {
      for (const std::int64_t column : columns_) {
        values[next++] = static_cast<float>(matrix_entry(rows, first + r, column));
      }
    }
    whitening_.apply(values.data(), count, out);
  }
  ScoringFunction fold(std::span<const double> weights) const override {
    LinearFunction linear{std::vector<double>(static_cast<std::size_t>(num_features_))};
    const auto folded = whitening_.fold(weights);
    for (std::size_t k = 0; k < folded.size(); ++k) {
      linear.weights[static_cast<std::size_t>(columns_[k])] = folded[k];
    }
    return linear;
  }

 private:
  std::vector<std::int64_t> columns_;
  std::int64_t num_features_;
  Whitening whitening_;
};

/// The whitening of a kernel among landmarks, and which of them it still needs.
std::pair<Whitening, std::vector<std::int64_t>> whiten(std::vector<double> gram, std::int64_t size,
                                                       const FeatureMapOptions& options,
                                                       MapReport& report) {
  double trace = 0;
  double largest = 0;
  for (std::int64_t k = 0; k < size; ++k) {
    trace += gram[static_cast<std::size_t>(k * size + k)];
    largest = std::max(largest, gram[static_cast<std::size_t>(k * size + k)]);
  }
  const double least = kResolution * largest;
  if (options.rank > 0) {
    const auto pairs = largest_eigenpairs(std::move(gram), size, std::min(options.rank, size));
    Whitening whitening(pairs, size, least * std::sqrt(static_cast<double>(size)));
    const auto kept = static_cast<std::ptrdiff_t>(whitening.outputs());
    const double explained =
        std::accumulate(pairs.values.begin(), pairs.values.begin() + kept, 0.0);
    report.unexplained = trace > 0 ? std::max(0.0, 1 - explained / trace) : 0;
    std::vector<std::int64_t> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return {std::move(whitening), std::move(all)};
  }
  auto cholesky =
      pivoted_cholesky(std::move(gram), size, std::max(least, options.rank_tolerance * trace));
  report.unexplained = trace > 0 ? cholesky.remaining / trace : 0;
  auto pivots = cholesky.pivots;
  return {Whitening(std::move(cholesky)), std::move(pivots)};
}

}  // namespace

std::unique_ptr<FeatureMap> fit_nystroem(const FeatureMapOptions& options, const KernelSpec& kernel,
                                         const FeatureMatrix& rows, std::uint64_t seed, int threads,
                                         MapReport& report, KernelProductCache* kept) {
  const bool precomputed = kernel.kind == Kernel::precomputed;
  if (precomputed && options.landmarks != Landmarks::uniform) {
    throw Error(ErrorKind::option, "landmarks = '" + std::string(name_of(options.landmarks)) +
                                       "' needs the documents' features: with kernel = "
                                       "'precomputed' only uniform is possible");
  }
  if (precomputed) kept = nullptr;
  const auto chosen =
      kept != nullptr
          ? kept->choose_landmarks(kernel, options.landmarks, options.n_components, seed, threads)
          : choose_landmarks(rows, kernel, options.landmarks, options.n_components, seed, threads);
  report.components = static_cast<std::int64_t>(chosen.size());
  const FeatureMatrix candidates = precomputed ? FeatureMatrix() : take_rows(rows, chosen);
  // Randomly pivoted Cholesky chooses other landmarks for another gamma.
  const bool shares_gram = kept != nullptr && options.landmarks != Landmarks::rpcholesky;
  auto gram = precomputed   ? precomputed_gram(rows, chosen)
              : shares_gram ? kept->gram(kernel, chosen, candidates, threads)
                            : kernel_gram(kernel, candidates, threads);
  auto [whitening, pivots] = whiten(std::move(gram), report.components, options, report);
  if (precomputed) {
    std::vector<std::int64_t> columns;
    for (const std::int64_t k : pivots) columns.push_back(chosen[static_cast<std::size_t>(k)]);
    return std::make_unique<PrecomputedMap>(std::move(columns), num_columns(rows),
                                            std::move(whitening));
  }
  return std::make_unique<NystroemMap>(kernel, take_rows(candidates, pivots), std::move(whitening),
                                       kept);
}

}  // namespace rankine
