// Preconditioned conjugate gradients (Hestenes and Stiefel) for A x = b, A symmetric positive
// definite and known by its products alone. One system by conjugate_gradient(); several whose
// products share a pass over the data by one ConjugateGradient each, advanced together.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace rankine {

/// out = A * in.
using Operator = std::function<void(std::span<const double> in, std::span<double> out)>;
/// vector <- P^-1 vector; an empty function is the identity.
using Preconditioner = std::function<void(std::span<double> vector)>;

class ConjugateGradient {
 public:
  /// Starts at x = 0.
  ConjugateGradient(std::span<const double> b, double tolerance, Preconditioner precondition);

  /// The residual r has r' P^-1 r <= tolerance^2 * b' P^-1 b, or A has shown a direction of no
  /// curvature.
  bool is_done() const { return !(energy_ > target_ && energy_ > 0); }
  /// What the next product is of.
  const std::vector<double>& direction() const { return direction_; }
  /// Takes one step, given A * direction().
  void advance(std::span<const double> image);

  /// How many products were used.
  int products() const { return products_; }
  const std::vector<double>& x() const { return x_; }

 private:
  Preconditioner precondition_;
  std::vector<double> x_;
  std::vector<double> residual_;
  std::vector<double> solved_;  // P^-1 residual
  std::vector<double> direction_;
  double energy_ = 0;  // residual . solved
  double target_ = 0;
  int products_ = 0;
};

/// Solves A x = b from x = 0, with at most max_iterations products. Returns how many it took.
int conjugate_gradient(const Operator& product, const Preconditioner& precondition,
                       std::span<const double> b, double tolerance, int max_iterations,
                       std::span<double> x);

}  // namespace rankine
