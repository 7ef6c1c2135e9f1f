#include "methods/sgd.hpp"

#include <utility>

#include <rankine/error.hpp>

#include "linalg/inner_product.hpp"
#include "methods/saved_objective.hpp"
#include "objectives/ridge/pair_terms.hpp"
#include "objectives/ridge/query_terms.hpp"
#include "solvers/sgd.hpp"

namespace rankine {

void SgdMethod::check(const TrainOptions& options) const {
  check_own_loss(options, options_.pair_loss);
  if (is_exact_kernel(options.map)) {
    throw Error(
        ErrorKind::option,
        "method = 'sgd' needs features, and an exact kernel has none: choose an approximation");
  }
  if (options_.sgd.sampling == Sampling::pair && options.loss == nullptr &&
      options_.pair_loss.loss == Loss::squared) {
    throw Error(ErrorKind::option, "sampling = 'pair': not for loss = 'squared'; take query");
  }
}

Needs SgdMethod::needs(const TrainOptions& options) const {
  return pairwise_needs(options, options_.normalisation);
}

std::vector<Solution> SgdMethod::solve(const Problem& problem, std::span<const double> /*values*/,
                                       SolveContext& context) const {
  const PreparedData& data = problem.data();
  TrainReport& report = problem.report();
  if (!data.rows_are_kept()) {
    throw Error(ErrorKind::option,
                "method = 'sgd' needs its mapped features in memory: raise memory_limit, or take "
                "fewer n_components");
  }
  const auto loss = problem.pair_loss(options_.pair_loss);
  const auto evaluator =
      context.preparing(report.seconds_preparing, [&] { return problem.evaluator(*loss); });
  SolveResult solved = context.solving(report.seconds_solving, [&] {
    const auto minimise = [&](const StochasticObjective& objective) {
      return minimise_sgd(objective, problem.start_weights(), options_.sgd, problem.options().seed,
                          context.stop_request());
    };
    // A loss of the user's own says what a query costs, not what a pair does.
    if (options_.sgd.sampling == Sampling::query || problem.options().loss != nullptr) {
      return minimise(QueryTerms(data.seen(), problem.table(), *loss, *evaluator, options_.C,
                                 data.column_scale()));
    }
    return minimise(PairTerms(data.seen(), problem.table(), options_.pair_loss, *evaluator,
                              options_.C, data.column_scale()));
  });
  std::vector<Solution> solutions(1);
  const double squared_norm = dot(solved.weights, solved.weights);
  solutions[0].function = data.function(std::move(solved.weights));
  solutions[0].report = std::move(solved.report);
  check_as_saved(
      problem, {loss, options_.C, 0.5}, [&] { return squared_norm; }, solutions[0]);
  return solutions;
}

}  // namespace rankine
