// objective(f) = penalty(f) + C * loss(scores) for functions in the span of the documents' kernels,
//   f = sum over documents of beta_i k(x_i, .).
// Scores are K beta, and |f|^2 = beta' K beta. Documents are those of queries with pairs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "compute/evaluator.hpp"
#include "compute/kernel_operator.hpp"
#include "linalg/symmetric_factors.hpp"
#include "objectives/penalty.hpp"

namespace rankine {

/// What preconditions the systems: features Phi with Phi Phi' about K. With H the loss's Hessian at
/// scores 0 and l the penalty's curvature, (l + C H K)^-1 is about
///   (I - C H Phi (l + C Phi' H Phi)^-1 Phi') / l.
struct KernelFeatures {
  DenseMatrix rows;         // by document of the objective
  std::vector<float> gram;  // Phi' H Phi, its lower triangle
};

class KernelObjective {
 public:
  /// Keeps references; `features` may be null. Requires: an L2 penalty without factors, l2 > 0.
  KernelObjective(const KernelOperator& kernel, const ScoreEvaluator& loss,
                  const KernelFeatures* features, int threads, Penalty penalty = {});

  std::size_t size() const { return loss_.num_documents(); }
  const ScoreEvaluator& loss() const { return loss_; }
  const Penalty& penalty() const { return penalty_; }
  void kernel_times(std::span<const double> vector, std::span<double> out) const {
    kernel_.times(vector, out);
  }

  /// The preconditioner at one C.
  class Preconditioner {
   public:
    Preconditioner(const KernelObjective& objective, double C);
    bool works() const { return factor_ != nullptr; }
    void apply(std::span<const double> vector, std::span<double> out) const;

   private:
    const KernelObjective& objective_;
    double C_;
    std::unique_ptr<SingleCholesky> factor_;
  };

 private:
  const KernelOperator& kernel_;
  const ScoreEvaluator& loss_;
  const KernelFeatures* features_;
  int threads_;
  Penalty penalty_;
  std::unique_ptr<ScoreEvaluator::Point> origin_;
};

}  // namespace rankine
