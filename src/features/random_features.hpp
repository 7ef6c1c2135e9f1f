// Random features, drawn independently of the data.
//   fourier, plain       phi_j = sqrt(2/m) cos(w_j . x + b_j),  b uniform on [0, 2 pi]
//            paired      phi = sqrt(2/m) [cos(w_j . x), sin(w_j . x)], m/2 frequencies
//            orthogonal  paired, with the frequencies of each block of d orthogonal
//     rbf: w ~ N(0, 2 gamma I);  laplacian: w ~ Cauchy of scale gamma, by coordinate
//   relu                 phi_j = sqrt(2/m) max(0, w_j . x + b_j), w and b ~ N(0, 1):
//                        the arc-cosine kernel of order 1 of (x, 1)
// Each draw depends on seed and index alone.
#pragma once

#include <cstdint>
#include <memory>

#include "features/feature_map.hpp"

namespace rankine {

std::unique_ptr<FeatureMap> draw_random_features(const FeatureMapOptions& options,
                                                 const KernelSpec& kernel,
                                                 std::int64_t num_features, std::uint64_t seed,
                                                 MapReport& report);

}  // namespace rankine
