// RankSVM with an exact kernel (Chapelle and Keerthi, 2010, section 6.3): the kernel matrix of the
// documents that have pairs, a Nystroem preconditioner of its Newton systems, and the solver.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rankine/loss.hpp>
#include <rankine/options.hpp>

#include "compute/evaluator.hpp"
#include "compute/kernel_operator.hpp"
#include "compute/query_table.hpp"
#include "linalg/inner_product.hpp"
#include "objectives/kernel_objective.hpp"
#include "problem/problem.hpp"
#include "solvers/newton.hpp"

namespace rankine {

class KernelSvm {
 public:
  /// Keeps references. Fills the map of the problem's report. Cost: n^2 / 2 kernel values where
  /// they are kept. Throws Error{option} for a warm start, which is for linear models.
  KernelSvm(const Problem& problem, const QueryLoss& loss);

  /// Coefficients to start from.
  std::vector<double> start() const { return std::vector<double>(loss_->num_documents()); }
  /// |f|^2 of a function with these coefficients, by a product with the kernel.
  double squared_norm(std::span<const double> coefficients) const {
    std::vector<double> image(coefficients.size());
    objective_->kernel_times(coefficients, image);
    return std::max(0.0, dot(coefficients, image));
  }
  /// The documents that have coefficients, by row.
  std::span<const std::int64_t> rows() const { return loss_->rows(); }
  SolveResult minimise(double C, std::span<const double> start, const NewtonOptions& options,
                       const StopRequest& stop) const;

 private:
  void make_features(const Problem& problem, const QueryLoss& loss);

  // A kernel value is computed to so much. Errors that are independent move the objective at
  // coefficients b by about this times |b|^2: it is part of the gap.
  double rounding_ = 0;
  std::unique_ptr<ScoreEvaluator> loss_;
  FeatureMatrix documents_;                   // those with pairs
  std::shared_ptr<KernelProductCache> kept_;  // what other trainings know of them, or null
  std::unique_ptr<const KernelOperator> kernel_;
  std::unique_ptr<KernelFeatures> features_;
  std::unique_ptr<KernelObjective> objective_;
};

}  // namespace rankine
