// The dual of solvers/ridge/ridge_path.hpp: (M + alpha I) b = t with M = F K F^T symmetric and
// positive semidefinite, for every alpha of a list. One alpha: m^3 / 3; several: one
// eigendecomposition, 9 m^3, and m^2 for each. Leave-one-query-out: with Q = (M + alpha I)^-1 and e
// = Q_qq^-1 b_q the errors at the rows of query q learnt without it, the coefficients without it
// are b - Q_:q e.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "objectives/ridge/kernel_equations.hpp"

namespace rankine {

struct KernelRidgeSolution {
  double alpha = 0;
  std::vector<double> coefficients;     // b
  double objective = 0;                 // of the coefficients as they are
  double squared_norm = 0;              // |f|^2
  double gap = 0;                       // certified: objective - minimum <= gap
  std::int64_t rank = 0;                // of M + alpha I; where deficient, the smallest function
  std::vector<double> leave_query_out;  // scores by document; empty unless asked for
};

/// One solution for each of `alphas` (>= 0), in their order. Throws Error{data} naming `source`
/// where M shows that the kernel is not positive semidefinite. Stopped, solutions not reached are
/// missing.
std::vector<KernelRidgeSolution> solve_kernel_ridge(const KernelEquations& system,
                                                    const QueryTable& table,
                                                    std::span<const double> alphas,
                                                    bool leave_query_out, const std::string& source,
                                                    const StopCheck& stop = {});

}  // namespace rankine
