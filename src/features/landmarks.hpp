// Which documents become landmarks.
//   uniform      every subset equally likely
//   kmeans       k-means++ seeding: each next with probability ~ squared distance to the nearest
//                so far
//   rpcholesky   randomly pivoted Cholesky: each next with probability ~ what the landmarks so far
//                leave unexplained of k(x, x)
// The last two draw from a uniform sample of ten times as many documents. Cost: uniform nothing;
// kmeans 10 m^2 d; rpcholesky 10 m^3 in matrix products.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/feature_map.hpp>

#include "base/collective.hpp"

namespace rankine {

/// Up to `count` different rows, rising. Fewer when the rest would add nothing (all distances, or
/// all that is unexplained, are 0). The draws depend on seed and data alone. Rows are numbered over
/// all processes, of which `rows` has this one's; all get the same numbers.
std::vector<std::int64_t> choose_landmarks(const FeatureMatrix& rows, const KernelSpec& kernel,
                                           Landmarks how, std::int64_t count, std::uint64_t seed,
                                           int threads, Collective& collective = one_process());

}  // namespace rankine
