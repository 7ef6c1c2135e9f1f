// RankRLS in one pass: the normal equations are sums over queries, and a scaling that is a shift
// and a factor can be applied to the sums afterwards. Nothing of the size of the data is kept.
#pragma once

#include <memory>

#include <rankine/options.hpp>

#include "methods/method.hpp"

namespace rankine {

/// Throws Error{option} for what one pass cannot do.
std::unique_ptr<StreamSolver> make_rls_stream(const RlsOptions& rls, const TrainOptions& options,
                                              std::int64_t num_features);

}  // namespace rankine
