#include "methods/rls.hpp"

#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "linalg/inner_product.hpp"
#include "losses/pairs/squared_error_pairs.hpp"
#include "methods/rls_solvers.hpp"
#include "methods/rls_stream.hpp"
#include "methods/saved_objective.hpp"

namespace rankine {

void RlsMethod::check(const TrainOptions& options) const {
  if (options.warm_start != nullptr) {
    throw Error(ErrorKind::option, "warm_start: method rls is solved directly, from no start");
  }
  if (options.loss != nullptr) {
    throw Error(ErrorKind::option, "loss: method rls has the squared loss alone");
  }
}

Needs RlsMethod::needs(const TrainOptions& /*options*/) const {
  Needs needs;
  needs.graph = pair_graph(options_);
  needs.normalisation = options_.normalisation;
  needs.ignores_shifts = options_.pairs != Pairs::none;
  return needs;
}

std::vector<Solution> RlsMethod::solve(const Problem& problem, std::span<const double> values,
                                       SolveContext& context) const {
  const PreparedData& data = problem.data();
  TrainReport& report = problem.report();
  const bool exact = data.has_exact_kernel();
  const RlsTask task{
      data.rows(),      problem.table(), data.column_scale(), data.seen(),
      options_,         values,          problem.backend(),   problem.options().leave_query_out,
      problem.threads()};
  RlsSolved solved = context.solving(report.seconds_solving, [&] {
    return exact ? solve_rls_kernel(kernel_values(data, problem.threads()), task,
                                    context.stop_request())
                 : solve_rls(task, context.stop_request());
  });
  if (solved.outcomes.size() < values.size()) throw Interrupted();
  if (exact) report.map.components = report.map.rank = data.seen().num_documents();
  std::vector<std::int64_t> documents(exact ? static_cast<std::size_t>(data.seen().num_documents())
                                            : 0);
  std::iota(documents.begin(), documents.end(), std::int64_t{0});
  const auto loss = std::make_shared<SquaredErrorPairs>(pair_graph(options_));
  std::vector<Solution> solutions;
  for (RlsOutcome& outcome : solved.outcomes) {
    Solution solution;
    const double alpha = values[solutions.size()];
    const std::vector<double>& weights = outcome.solved.weights;
    if (exact) {  // every document has a coefficient
      solution.function = data.function(weights, documents);
      check_as_saved(
          problem, {loss, 1, alpha}, [&] { return outcome.squared_norm; }, solution);
    } else {
      solution.function = data.function(std::vector<double>(weights));
      check_as_saved(
          problem, {loss, 1, alpha}, [&] { return dot(weights, weights); }, solution);
    }
    solution.report = std::move(outcome.solved.report);
    solution.solver = solved.solver;
    if (!outcome.warning.empty()) solution.warnings.push_back(std::move(outcome.warning));
    solution.leave_query_out = std::move(outcome.leave_query_out);
    solutions.push_back(std::move(solution));
  }
  return solutions;
}

double RlsMethod::exact_kernel_bytes(const Backend& /*backend*/, std::int64_t num_documents) const {
  return rls_kernel_bytes(num_documents);
}

std::unique_ptr<StreamSolver> RlsMethod::stream(const TrainOptions& options,
                                                std::int64_t num_features) const {
  return make_rls_stream(options_, options, num_features);
}

}  // namespace rankine
