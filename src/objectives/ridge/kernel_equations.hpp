// RankRLS in its dual form, for any kernel. With F a root of the pairs' Laplacian and K the kernel
// between all documents, f = sum_i a_i k(x_i, .) has
//   a = F^T b,   (F K F^T + alpha I) b = F y.
// Cost: O(n^2) for the transformation; memory O(n^2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/laplacian_rows.hpp"
#include "compute/query_table.hpp"
#include "objectives/ridge/normal_equations.hpp"

namespace rankine {

struct KernelEquations {
  std::int64_t num_documents = 0;
  std::int64_t num_rows = 0;
  std::vector<double> transformed;       // F K F^T, num_rows x num_rows, row-major
  std::vector<double> half;              // F K, num_rows x num_documents
  std::vector<double> targets;           // F y
  std::vector<std::int64_t> first_rows;  // by query of the table, and the end
  double unexplained = 0;
};

/// Throws Error{data} naming `source` unless `kernel` (size x size) is finite, symmetric and
/// positive semidefinite, each as far as single precision tells. Cost: size^3 / 3.
void check_kernel(std::span<const double> kernel, std::int64_t size, const std::string& source);

/// `kernel` is symmetric, num_documents x num_documents, by document of the data.
KernelEquations kernel_equations(std::span<const double> kernel, std::int64_t num_documents,
                                 const QueryTable& table, PairGraph graph, int threads);

/// a = F^T b, by document.
std::vector<double> document_coefficients(std::span<const double> b, const KernelEquations& system,
                                          const QueryTable& table, PairGraph graph);

/// X D D X^T: the linear kernel of scaled rows.
std::vector<double> linear_kernel(const RankingRows& rows, std::int64_t num_documents, int threads);
/// D X^T a: the weights of the linear function with coefficients a, by document. Requires: those of
/// documents of other queries than the table has are 0.
std::vector<double> linear_weights(const RankingRows& rows, std::span<const double> a);

}  // namespace rankine
