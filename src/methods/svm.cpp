// Which solver: exact kernels and the hinge go through the values of C one after the other, each
// from the solution before (warm starts); one C with a smooth loss is Newton's method; several are
// solved together by solvers/newton_path.
// Chapelle and Keerthi, "Efficient algorithms for ranking with SVMs", 2010.
#include "methods/svm.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "linalg/inner_product.hpp"
#include "methods/kernel_svm.hpp"
#include "methods/saved_objective.hpp"
#include "objectives/nonsmooth_ranking_objective.hpp"
#include "objectives/ranking_objective.hpp"
#include "solvers/cutting_plane.hpp"
#include "solvers/newton.hpp"
#include "solvers/newton_path.hpp"

namespace rankine {
namespace {

using Minimise = std::function<SolveResult(double C, std::span<const double> start)>;

/// One value after the other, each from the weights of the one before. Stopped: those so far.
std::vector<SolveResult> warm_path(std::span<const double> values_of_c, std::vector<double> start,
                                   const SolveContext& context, const Minimise& minimise) {
  std::vector<SolveResult> solved;
  for (const double C : values_of_c) {
    try {
      solved.push_back(minimise(C, start));
    } catch (const Interrupted&) {
      if (solved.empty()) throw;
    }
    if (context.is_stopped() && context.stopped_by() == Termination::interrupted) break;
    start = solved.back().weights;
  }
  return solved;
}

/// `fill(k, weights, solution)` makes the scoring function of the k-th.
template <class Fill>
std::vector<Solution> solutions_of(std::vector<SolveResult> solved, const Fill& fill) {
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < solved.size(); ++k) {
    Solution solution;
    fill(k, std::move(solved[k].weights), solution);
    solution.report = std::move(solved[k].report);
    solutions.push_back(std::move(solution));
  }
  return solutions;
}

}  // namespace

void SvmMethod::check(const TrainOptions& options) const {
  check_own_loss(options, options_.pair_loss);
}

Needs SvmMethod::needs(const TrainOptions& options) const {
  return pairwise_needs(options, options_.normalisation);
}

std::vector<Solution> SvmMethod::solve(const Problem& problem, std::span<const double> values,
                                       SolveContext& context) const {
  const PreparedData& data = problem.data();
  TrainReport& report = problem.report();
  const auto loss = problem.pair_loss(options_.pair_loss);
  if (data.has_exact_kernel()) {
    if (!loss->has_hessian()) {
      throw Error(ErrorKind::option,
                  "an exact kernel needs a loss with second derivatives: with loss = '" +
                      std::string(loss->name()) + "' choose an approximation");
    }
    const auto kernel = context.preparing(
        report.seconds_preparing, [&] { return std::make_unique<KernelSvm>(problem, *loss); });
    return context.solving(report.seconds_solving, [&] {
      auto solved =
          warm_path(values, kernel->start(), context, [&](double C, std::span<const double> start) {
            return kernel->minimise(C, start, options_.newton, context.stop_request());
          });
      return solutions_of(
          std::move(solved),
          [&](std::size_t k, const std::vector<double>& coefficients, Solution& solution) {
            solution.function = data.function(coefficients, kernel->rows());
            check_as_saved(
                problem, {loss, values[k], 0.5}, [&] { return kernel->squared_norm(coefficients); },
                solution);
          });
    });
  }
  const auto evaluator =
      context.preparing(report.seconds_preparing, [&] { return problem.evaluator(*loss); });
  return context.solving(report.seconds_solving, [&] {
    const std::vector<double> start = problem.start_weights();
    std::vector<SolveResult> solved;
    if (!loss->has_hessian()) {
      solved = warm_path(values, start, context, [&](double C, std::span<const double> from) {
        return minimise_cutting_plane(NonsmoothRankingObjective(*evaluator, C, data.column_scale()),
                                      from, options_.cutting_plane, context.stop_request());
      });
    } else if (values.size() == 1) {
      solved.push_back(minimise_newton(RankingObjective(*evaluator, values[0], data.column_scale()),
                                       start, options_.newton, context.stop_request()));
    } else {
      const RankingPath path(*evaluator, {values.begin(), values.end()}, data.column_scale());
      solved = minimise_newton_path(path, options_.newton, context.stop_request());
    }
    return solutions_of(
        std::move(solved), [&](std::size_t k, std::vector<double> weights, Solution& solution) {
          const double squared_norm = dot(weights, weights);
          solution.function = data.function(std::move(weights));
          check_as_saved(
              problem, {loss, values[k], 0.5}, [&] { return squared_norm; }, solution);
        });
  });
}

}  // namespace rankine
