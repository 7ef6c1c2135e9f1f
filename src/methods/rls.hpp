// RankRLS (Pahikkala and others, 2007): least squares over pairs in closed form, a path over alpha
// from one decomposition, the scores that leave each query out, and one pass over a stream.
#pragma once

#include <rankine/options.hpp>

#include "methods/method.hpp"

namespace rankine {

class RlsMethod final : public Method {
 public:
  explicit RlsMethod(RlsOptions options) : options_(std::move(options)) {}

  void check(const TrainOptions& options) const override;
  Needs needs(const TrainOptions& options) const override;
  /// Only conjugate gradients have a result when they are stopped early; the others throw
  /// Interrupted.
  std::vector<Solution> solve(const Problem& problem, std::span<const double> values,
                              SolveContext& context) const override;
  bool has_leave_query_out() const override { return true; }
  double exact_kernel_bytes(const Backend& backend, std::int64_t num_documents) const override;
  std::unique_ptr<StreamSolver> stream(const TrainOptions& options,
                                       std::int64_t num_features) const override;

 private:
  RlsOptions options_;
};

}  // namespace rankine
