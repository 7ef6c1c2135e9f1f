// The same minimum has three ways to it. Primal: a d x d system of sums over the pairs. Dual: an n
// x n system of kernel values. Conjugate gradients: products alone. The cheapest by flops is taken,
// unless the user chose. What comes out is certified as it will be saved, and refined where the
// dual lost digits.
// Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient algorithm for learning to
// rank from preference graphs", 2009.
#include "methods/rls_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include <rankine/error.hpp>

#include "features/kernel.hpp"
#include "losses/pairs/squared_error_pairs.hpp"
#include "objectives/ridge/kernel_equations.hpp"
#include "objectives/ridge/normal_equations.hpp"
#include "solvers/ridge/kernel_ridge.hpp"
#include "solvers/ridge/leave_query_out.hpp"
#include "solvers/ridge/ridge_certificate.hpp"
#include "solvers/ridge/ridge_cg.hpp"
#include "solvers/ridge/ridge_path.hpp"

namespace rankine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Beyond this size a square matrix in double takes more than 8 GB.
constexpr double kLargestSystem = 32'768;

/// Without the documents' places in the data there is nothing to leave out.
void check_leave_query_out(const RlsTask& task) {
  if (!task.leave_query_out) return;
  if (task.table.queries().size() < 2) {
    throw Error(ErrorKind::data,
                task.data.source + ": leave-query-out needs at least two queries to learn from");
  }
  if (task.options.solver == RlsSolver::cg) {
    throw Error(ErrorKind::option, "solver = cg has no leave-query-out; take primal, dual or auto");
  }
}

StopCheck as_check(const StopRequest& stop) {
  if (!stop) return {};
  return [&stop] { return stop(SolveReport{}); };
}

RlsSolver chosen(const RlsTask& task) {
  if (task.options.solver != RlsSolver::automatic) return task.options.solver;
  const RlsCosts costs = rls_costs(task);
  if (costs.primal <= costs.dual && costs.primal <= costs.cg) return RlsSolver::primal;
  return costs.dual <= costs.cg ? RlsSolver::dual : RlsSolver::cg;
}

RlsOutcome outcome_of(RidgeSolution solution) {
  RlsOutcome outcome;
  outcome.solved.weights = std::move(solution.weights);
  outcome.solved.report.objective = solution.objective;
  outcome.solved.report.gap = solution.gap;
  if (solution.singular) outcome.warning = minimum_norm_warning();
  return outcome;
}

std::vector<RlsOutcome> primal(const RankingRows& rows, const RlsTask& task,
                               const StopRequest& stop) {
  bool stopped = false;
  const StopCheck check = [&] { return stopped = stopped || (stop && stop(SolveReport{})); };
  const GramSums sums = normal_equations(rows, task.threads, check);
  if (stopped) return {};
  const std::vector<RidgeSolution> solutions = solve_ridge(sums, task.alphas);
  std::vector<std::vector<double>> scores;
  if (task.leave_query_out) {
    scores = leave_query_out_scores(rows, sums, solutions, task.data.num_documents(), task.threads,
                                    check);
    if (stopped) return {};
  }
  std::vector<RlsOutcome> outcomes;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    outcomes.push_back(outcome_of(solutions[k]));
    if (task.leave_query_out) outcomes.back().leave_query_out = std::move(scores[k]);
  }
  return outcomes;
}

/// `outcome` makes one of a solution and its documents' coefficients; `dimensions` is the rank at
/// which the solution is unique.
template <class Outcome>
std::vector<RlsOutcome> dual(std::span<const double> kernel, const RlsTask& task,
                             const StopRequest& stop, std::int64_t dimensions,
                             const Outcome& outcome) {
  const PairGraph graph = pair_graph(task.options);
  const KernelEquations system =
      kernel_equations(kernel, task.data.num_documents(), task.table, graph, task.threads);
  const auto solutions = solve_kernel_ridge(system, task.table, task.alphas, task.leave_query_out,
                                            task.data.source, as_check(stop));
  std::vector<RlsOutcome> outcomes;
  for (const KernelRidgeSolution& solution : solutions) {
    outcomes.push_back(
        outcome(solution, document_coefficients(solution.coefficients, system, task.table, graph)));
    if (solution.alpha == 0 && solution.rank < dimensions) {
      outcomes.back().warning = minimum_norm_warning();
    }
    outcomes.back().leave_query_out = solution.leave_query_out;
  }
  return outcomes;
}

/// The weights of a linear function that the dual has found, certified as they are. Where the
/// coefficients lost too many digits, the system by features finds these again.
RlsOutcome linear_outcome(const RankingRows& rows, const RlsTask& task,
                          const KernelRidgeSolution& found, std::span<const double> coefficients,
                          const StopRequest& stop) {
  constexpr double kGoodGap = 1e-9;  // of the objective
  RidgeSolution solution{found.alpha, linear_weights(rows, coefficients), 0, false};
  std::vector<double> unused;
  certify(rows, solution, unused, as_check(stop));
  if (found.alpha == 0) {
    // The objective is nowhere below that of the dual less its gap.
    solution.gap = std::max(0.0, solution.objective - found.objective) + found.gap;
  } else if (solution.gap > kGoodGap * solution.objective &&
             rows.width() <= task.data.num_documents()) {
    refine(rows, task.threads, solution, as_check(stop));
  }
  return outcome_of(std::move(solution));
}

std::vector<RlsOutcome> by_conjugate_gradients(const RlsTask& task, const StopRequest& stop) {
  const SquaredErrorPairs loss(pair_graph(task.options));
  const auto evaluator = task.backend.loss_evaluator(task.features, task.data.num_documents(),
                                                     task.table, loss, task.threads);
  RidgeCgResult result = solve_ridge_cg(*evaluator, task.columns, task.alphas,
                                        task.options.tolerance, task.options.max_iterations, stop);
  std::vector<RlsOutcome> outcomes;
  for (std::size_t k = 0; k < task.alphas.size(); ++k) {
    outcomes.push_back(outcome_of(std::move(result.solutions[k])));
    outcomes.back().solved.report = std::move(result.reports[k]);
    if (task.alphas[k] == 0) {
      outcomes.back().warning =
          "alpha = 0: if the system is singular, this is the minimum with the smallest weights";
    }
  }
  return outcomes;
}

std::string solver_text(RlsSolver solver, const RlsOptions& options) {
  return std::string(name_of(solver)) +
         (options.solver == RlsSolver::automatic ? ", by cost" : ", as asked for");
}

}  // namespace

std::string_view minimum_norm_warning() {
  return "alpha = 0 and the system is singular: of all minima this is the one with the smallest "
         "weights";
}

PairGraph pair_graph(const RlsOptions& options) {
  if (options.pairs == Pairs::none) return PairGraph::none;
  return options.ties == TiedPairs::include ? PairGraph::all : PairGraph::different_grades;
}

double rls_kernel_bytes(std::int64_t num_documents) {
  constexpr double kMatrices = 5;  // the kernel, its transformations and the eigenvectors
  const auto n = static_cast<double>(num_documents);
  return kMatrices * sizeof(double) * n * n;
}

std::vector<double> kernel_values(const PreparedData& data, int threads) {
  const Dataset& seen = data.seen();
  const double bytes = rls_kernel_bytes(seen.num_documents());
  if (bytes > data.memory()) {
    throw Error(ErrorKind::option, "an exact kernel of " + std::to_string(seen.num_documents()) +
                                       " documents needs about " + memory_text(bytes) +
                                       " for method rls and there are " +
                                       memory_text(data.memory()) + ": choose an approximation");
  }
  if (data.kernel().kind != Kernel::precomputed) {
    if (data.kernel_product_cache() == nullptr)
      return kernel_gram(data.kernel(), seen.features, threads);
    std::vector<std::int64_t> all(static_cast<std::size_t>(seen.num_documents()));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return data.kernel_product_cache()->gram(data.kernel(), all, seen.features, threads);
  }
  const auto& values = std::get<DenseMatrix>(seen.features).values;
  return {values.begin(), values.end()};
}

RlsCosts rls_costs(const RlsTask& task) {
  // Conjugate gradients need some hundred products with one vector, in both directions.
  constexpr double kIterations = 100;
  const auto n = static_cast<double>(task.data.num_documents());
  const auto d = static_cast<double>(task.features.num_columns());
  const CsrMatrix* sparse = task.features.sparse();
  const double entries = sparse != nullptr ? static_cast<double>(sparse->values.size()) : n * d;
  const double system = task.alphas.size() > 1 || task.leave_query_out ? 9 : 1.0 / 3;
  RlsCosts costs;
  costs.primal = d > kLargestSystem ? kInfinity : n * d * d / 2 + system * d * d * d;
  costs.dual = n > kLargestSystem ? kInfinity : n * n * d + system * n * n * n;
  costs.cg = task.leave_query_out ? kInfinity
                                  : 2 * task.backend.matrix_speedup() * kIterations *
                                        static_cast<double>(task.alphas.size()) * entries;
  return costs;
}

RlsSolved solve_rls(const RlsTask& task, const StopRequest& stop) {
  check_leave_query_out(task);
  const RlsSolver solver = chosen(task);
  const RankingRows rows(task.features, task.table, pair_graph(task.options), task.columns);
  RlsSolved solved{solver_text(solver, task.options), {}};
  if (solver == RlsSolver::cg) {
    solved.outcomes = by_conjugate_gradients(task, stop);
  } else if (solver == RlsSolver::dual) {
    const auto kernel = linear_kernel(rows, task.data.num_documents(), task.threads);
    solved.outcomes = dual(kernel, task, stop, rows.width(),
                           [&](const KernelRidgeSolution& found, std::span<const double> a) {
                             return linear_outcome(rows, task, found, a, stop);
                           });
  } else {
    solved.outcomes = primal(rows, task, stop);
  }
  return solved;
}

RlsSolved solve_rls_kernel(std::span<const double> kernel, const RlsTask& task,
                           const StopRequest& stop) {
  check_leave_query_out(task);
  if (task.options.solver == RlsSolver::primal || task.options.solver == RlsSolver::cg) {
    throw Error(ErrorKind::option, "solver = " + std::string(name_of(task.options.solver)) +
                                       ": an exact kernel has the dual alone");
  }
  check_kernel(kernel, task.data.num_documents(), task.data.source);
  const auto outcome = [](const KernelRidgeSolution& found, std::vector<double> coefficients) {
    RlsOutcome result;
    result.solved.weights = std::move(coefficients);
    result.solved.report.objective = found.objective;
    result.solved.report.gap = found.gap;
    result.squared_norm = found.squared_norm;
    return result;
  };
  return {"dual, as a kernel needs it",
          dual(kernel, task, stop, task.data.num_documents(), outcome)};
}

}  // namespace rankine
