// RankRLS on prepared data: the choice between its solvers, and what each gives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/options.hpp>

#include "compute/backend.hpp"
#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"
#include "objectives/column_scale.hpp"
#include "problem/prepared_data.hpp"
#include "solvers/newton.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// The pairs that the options choose.
PairGraph pair_graph(const RlsOptions& options);

/// The warning for alpha = 0 where there are many minima.
std::string_view minimum_norm_warning();

struct RlsTask {
  FeatureRows features;
  const QueryTable& table;  // made with pair_graph(options)
  const ColumnScale& columns;
  const Dataset& data;  // its documents, and its name; features come from above
  const RlsOptions& options;
  std::span<const double> alphas;
  const Backend& backend;
  bool leave_query_out = false;
  int threads = 0;
};

struct RlsOutcome {
  SolveResult solved;
  double squared_norm = 0;              // of the function, with an exact kernel
  std::string warning;                  // empty, or what the user should know
  std::vector<double> leave_query_out;  // by document; empty unless asked for
};

struct RlsSolved {
  std::string solver;                // which, and whether the user chose it
  std::vector<RlsOutcome> outcomes;  // by alpha; fewer when stopped before the end
};

/// Throws Error{option} for leave-query-out with one query, or by conjugate gradients.
RlsSolved solve_rls(const RlsTask& task, const StopRequest& stop);

/// The same for a kernel between all documents (row-major); the weights are by document: f(x) = sum
/// of weights[i] k(x_i, x). Throws Error{data} for a kernel that is none.
RlsSolved solve_rls_kernel(std::span<const double> kernel, const RlsTask& task,
                           const StopRequest& stop);

/// Bytes that RankRLS takes for the exact kernel of so many documents and the systems it leads to.
double rls_kernel_bytes(std::int64_t num_documents);

/// The exact kernel between all documents of `data`, row-major. Throws Error{option} where the
/// systems it leads to would not fit in memory.
std::vector<double> kernel_values(const PreparedData& data, int threads);

/// What each solver costs, in multiply-adds of dense matrix products; infinite where it cannot do
/// what is asked for.
struct RlsCosts {
  double primal = 0;
  double dual = 0;
  double cg = 0;
};
RlsCosts rls_costs(const RlsTask& task);

}  // namespace rankine
