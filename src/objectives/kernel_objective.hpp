// objective(f) = 1/2 |f|^2 + C * loss(scores) for functions f = sum over documents of beta_i k(x_i,
// .): scores are K beta and |f|^2 = beta' K beta. Documents are those of queries with pairs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "compute/cpu/kernel_matrix.hpp"
#include "compute/cpu/score_sweep.hpp"
#include "linalg/symmetric_factors.hpp"

namespace rankine {

/// What preconditions the systems: features Phi with Phi Phi' about K. With H the loss's Hessian at
/// scores 0, (I + C H K)^-1 is about I - C H Phi (I + C Phi' H Phi)^-1 Phi'.
struct KernelFeatures {
  DenseMatrix rows;         // by document of the objective
  std::vector<float> gram;  // Phi' H Phi, its lower triangle
};

class KernelObjective {
 public:
  /// Keeps references; `features` may be null.
  KernelObjective(const KernelMatrix& kernel, const ScoreSweep& sweep,
                  const KernelFeatures* features, int threads);

  std::size_t size() const { return sweep_.num_documents(); }
  const ScoreSweep& sweep() const { return sweep_; }
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
  const KernelMatrix& kernel_;
  const ScoreSweep& sweep_;
  const KernelFeatures* features_;
  int threads_;
  ScoreSweep::Point origin_;
};

}  // namespace rankine
