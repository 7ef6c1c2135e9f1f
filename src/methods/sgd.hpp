// The pairwise objective by stochastic gradient descent with averaging (Chapelle and Keerthi, 2010,
// section 6.1), one pair or one query at a time.
#pragma once

#include <rankine/options.hpp>

#include "methods/method.hpp"

namespace rankine {

class SgdMethod final : public Method {
 public:
  explicit SgdMethod(StochasticOptions options) : options_(options) {}

  void check(const TrainOptions& options) const override;
  Needs needs(const TrainOptions& options) const override;
  std::vector<Solution> solve(const Problem& problem, std::span<const double> values,
                              SolveContext& context) const override;

 private:
  StochasticOptions options_;
};

}  // namespace rankine
