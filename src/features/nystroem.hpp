// The Nystroem map: phi(x) = T k_Z(x) with landmarks Z and T^T T the (pseudo-)inverse of K(Z, Z).
//   by tolerance: Z shrinks to the pivots P of a pivoted Cholesky factorisation, K(P, P) = L L^T,
//                 T = L^-1. Cost: m k^2 to fit, then k^2 / 2 per row beside the kernel.
//   by rank:      T = S_k^-1/2 U_k^T of the k largest eigenvalues, as in the paper.
//                 Cost: m^3 to fit, then m k per row.
// With every document a landmark it is the kernel PCA map.
#pragma once

#include <cstdint>
#include <memory>

#include "features/feature_map.hpp"

namespace rankine {

/// Throws Error{option} when a precomputed kernel is not square or not symmetric. `kept` as in
/// fit_feature_map.
std::unique_ptr<FeatureMap> fit_nystroem(const FeatureMapOptions& options, const KernelSpec& kernel,
                                         const FeatureMatrix& rows, std::uint64_t seed, int threads,
                                         MapReport& report, KernelProductCache* kept = nullptr);

}  // namespace rankine
