// RankSVM in the primal (Chapelle and Keerthi, 2010): 1/2 |w|^2 + C * (sum of pair losses). Losses
// with a Hessian are minimised by Newton's method, a whole path over C in shared passes over the
// data; the hinge by smoothings of it and cutting planes; exact kernels in the space of their
// coefficients.
#pragma once

#include <rankine/options.hpp>

#include "methods/method.hpp"

namespace rankine {

class SvmMethod final : public Method {
 public:
  explicit SvmMethod(SvmOptions options) : options_(std::move(options)) {}

  void check(const TrainOptions& options) const override;
  Needs needs(const TrainOptions& options) const override;
  std::vector<Solution> solve(const Problem& problem, std::span<const double> values,
                              SolveContext& context) const override;

 private:
  SvmOptions options_;
};

}  // namespace rankine
