// The whole Hessian of a piecewise quadratic pair loss in the weights, from all queries or a share
// of them: see compute/cpu/products/pair_hessian. Scores and orders are found on the way, so
// nothing is kept by document. Cost: n d^2 multiply-adds in matrix products, n the documents used.
#pragma once

#include <cstdint>
#include <span>

#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"

namespace rankine {

/// Whether there is such a form for this loss and these grades, at most so many per query.
bool has_sampled_hessian(const QueryLoss& loss, std::uint32_t most_grades);

/// Row-major; sums within blocks are in single precision. Requires: dense rows, has_sampled_hessian
/// and 0 < share <= 1.
void sampled_hessian(const FeatureRows& features, const QueryTable& table,
                     const PiecewiseQuadraticPairs& loss, std::span<const double> weights,
                     double share, int threads, std::span<double> out);

}  // namespace rankine
