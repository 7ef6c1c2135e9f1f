#include "methods/svm.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "methods/kernel_svm.hpp"
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

/// `function` makes the model's scoring function of weights.
template <class Function>
std::vector<Solution> solutions_of(std::vector<SolveResult> solved, const Function& function) {
  std::vector<Solution> solutions;
  for (SolveResult& each : solved) {
    Solution solution;
    solution.function = function(std::move(each.weights));
    solution.report = std::move(each.report);
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
      return solutions_of(std::move(solved), [&](std::span<const double> coefficients) {
        return data.function(coefficients, kernel->rows());
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
    return solutions_of(std::move(solved), [&](std::vector<double> weights) {
      return data.function(std::move(weights));
    });
  });
}

}  // namespace rankine
