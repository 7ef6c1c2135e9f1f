// Kernels and the feature maps that approximate them: what makes a linear ranker a non-linear one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "rankine/fields.hpp"

namespace rankine {

/// The kernel: how similar two documents x and z are.
enum class Kernel {
  linear,       // x . z
  rbf,          // exp(-gamma |x - z|_2^2)
  laplacian,    // exp(-gamma |x - z|_1)
  polynomial,   // (gamma x . z + coef0)^degree
  precomputed,  // a document's features are its kernel values with every training document
};
template <>
struct EnumNames<Kernel> {
  static constexpr std::array<std::string_view, 5> names{"linear", "rbf", "laplacian", "polynomial",
                                                         "precomputed"};
};

/// How the kernel is approximated: not at all, by kernel values with landmarks (Nystroem), by
/// random Fourier features, or by random ReLU features.
enum class Approximation { none, nystroem, fourier, relu };
template <>
struct EnumNames<Approximation> {
  static constexpr std::array<std::string_view, 4> names{"none", "nystroem", "fourier", "relu"};
};

/// How landmarks are drawn among the training documents: uniformly, far from those drawn before
/// (k-means++), or where the kernel is approximated worst so far (randomly pivoted Cholesky).
enum class Landmarks { uniform, kmeans, rpcholesky };
template <>
struct EnumNames<Landmarks> {
  static constexpr std::array<std::string_view, 3> names{"uniform", "kmeans", "rpcholesky"};
};

/// One cosine per frequency with a random phase; cosine and sine of each frequency; or these with
/// orthogonal frequencies.
enum class Fourier { plain, paired, orthogonal };
template <>
struct EnumNames<Fourier> {
  static constexpr std::array<std::string_view, 3> names{"plain", "paired", "orthogonal"};
};

struct FeatureMapOptions {
  Kernel kernel = Kernel::linear;
  double gamma = 0;
  int degree = 3;
  double coef0 = 1;
  Approximation approximation = Approximation::none;
  std::int64_t n_components = 1000;
  Landmarks landmarks = Landmarks::uniform;
  Fourier fourier = Fourier::plain;
  double rank_tolerance = 1e-8;
  std::int64_t rank = 0;
};

constexpr auto fields(const FeatureMapOptions&) {
  using O = FeatureMapOptions;
  return std::tuple{
      Field{"kernel", &O::kernel, NoRange{}, "how alike two documents are"},
      Field{"gamma", &O::gamma, Range<double>{0, 1e30},
            "of the kernels rbf, laplacian and polynomial; 0 derives it from the distances in the "
            "data"},
      Field{"degree", &O::degree, Range<int>{1, 100}, "of the polynomial kernel", "N"},
      Field{"coef0", &O::coef0, Range<double>{0, 1e30}, "of the polynomial kernel"},
      Field{"approximation", &O::approximation, NoRange{},
            "what stands in for the kernel: nothing (exact), landmarks, or random features"},
      Field{"n_components", &O::n_components, Range<std::int64_t>{1, 10'000'000},
            "landmarks or random features", "N"},
      Field{"landmarks", &O::landmarks, NoRange{},
            "how nystroem draws its landmarks among the documents"},
      Field{"fourier", &O::fourier, NoRange{}, "which random waves fourier takes"},
      Field{"rank_tolerance", &O::rank_tolerance, Range<double>{0, 1},
            "directions of the landmarks' kernel below this share of its trace are dropped, and "
            "always those that single precision cannot tell (nystroem)"},
      Field{"rank", &O::rank, Range<std::int64_t>{0, 10'000'000},
            "keep this many directions of the landmarks' kernel, the largest (nystroem); 0: by "
            "rank_tolerance",
            "N"}};
}

/// Which kernels an approximation is for. relu has a kernel of its own, the arc-cosine kernel.
constexpr auto requirements(const FeatureMapOptions&) {
  return std::array{OptionRequirement{"approximation", "fourier", "kernel", "rbf,laplacian"},
                    OptionRequirement{"approximation", "relu", "kernel", "linear"},
                    OptionRequirement{"fourier", "orthogonal", "kernel", "rbf"}};
}

/// Which of the options has an effect with which value of another.
constexpr auto rules(const FeatureMapOptions&) {
  return std::array{OptionRule{"gamma", "kernel", "rbf,laplacian,polynomial"},
                    OptionRule{"degree", "kernel", "polynomial"},
                    OptionRule{"coef0", "kernel", "polynomial"},
                    OptionRule{"n_components", "approximation", "nystroem,fourier,relu"},
                    OptionRule{"landmarks", "approximation", "nystroem"},
                    OptionRule{"rank_tolerance", "approximation", "nystroem"},
                    OptionRule{"rank", "approximation", "nystroem"},
                    OptionRule{"fourier", "approximation", "fourier"}};
}

/// A kernel with its parameters.
struct KernelSpec {
  Kernel kind = Kernel::linear;
  double gamma = 1;
  int degree = 1;
  double coef0 = 0;

  bool operator==(const KernelSpec&) const = default;
};

}  // namespace rankine
