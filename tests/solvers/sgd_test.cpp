#include "solvers/sgd.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "objectives/nonsmooth_ranking_objective.hpp"
#include "objectives/ranking_objective.hpp"
#include "objectives/ridge/pair_terms.hpp"
#include "objectives/ridge/query_terms.hpp"
#include "oracles/random_dataset.hpp"
#include "solvers/cutting_plane.hpp"
#include "solvers/newton.hpp"

namespace rankine {
namespace {

const std::vector<double> kStart(7);

struct Problem {
  Problem(const PairLossOptions& options, double C, int threads = 1)
      : data([] {
          std::mt19937_64 random(37);
          return oracles::random_dataset(random, {.queries = 40, .weighted = true});
        }()),
        table(data, Normalisation::none, 1),
        loss(make_pair_loss(options, data)),
        sweep(data, table, *loss, threads),
        by_pair(data, table, options, sweep, C),
        by_query(data, table, *loss, sweep, C),
        value(C) {}

  double minimum() const {
    if (!loss->has_hessian()) {
      return minimise_cutting_plane(NonsmoothRankingObjective(sweep, value), kStart,
                                    {.tolerance = 1e-6})
          .report.objective;
    }
    return minimise_newton(RankingObjective(sweep, value), kStart, {.tolerance = 1e-10})
        .report.objective;
  }

  Dataset data;
  QueryTable table;
  std::unique_ptr<QueryLoss> loss;
  CpuLossEvaluator sweep;
  PairTerms by_pair;
  QueryTerms by_query;
  double value;
};

/// 1 % above the minimum: what averaged stochastic gradients are for.
TEST(Sgd, comes_within_a_hundredth_of_the_minimum_for_every_loss) {
  for (const Loss loss : {Loss::squared_hinge, Loss::hinge, Loss::huber, Loss::logistic}) {
    for (const double C : {1e-4, 1e-2, 1.0}) {
      const Problem problem({.loss = loss}, C);
      const double minimum = problem.minimum();
      const auto pair = minimise_sgd(problem.by_pair, kStart, {.epochs = 20});
      const auto query = minimise_sgd(problem.by_query, kStart, {.epochs = 150});
      EXPECT_LE(pair.report.objective, 1.01 * minimum) << name_of(loss) << " C " << C;
      EXPECT_LE(query.report.objective, 1.01 * minimum) << name_of(loss) << " C " << C;
      EXPECT_GE(query.report.objective, minimum * (1 - 1e-5));
      EXPECT_GE(query.report.gap, query.report.objective - minimum - 1e-5 * minimum);
    }
  }
}

TEST(Sgd, comes_nearer_with_more_epochs) {
  const Problem problem({}, 0.05);
  const double minimum = problem.minimum();
  double last = minimise_sgd(problem.by_query, kStart, {.epochs = 5}).report.objective - minimum;
  for (const double epochs : {100.0, 2000.0}) {
    const double above =
        minimise_sgd(problem.by_query, kStart, {.epochs = epochs}).report.objective - minimum;
    EXPECT_LT(above, 0.5 * last);
    last = above;
  }
}

TEST(Sgd, same_seed_gives_the_same_bits_whatever_the_threads) {
  const Problem problem({}, 0.1);
  const Problem threaded({}, 0.1, 5);
  const auto first = minimise_sgd(problem.by_pair, kStart, {.epochs = 0.5}, 7);
  const auto again = minimise_sgd(threaded.by_pair, kStart, {.epochs = 0.5}, 7);
  const auto other = minimise_sgd(problem.by_pair, kStart, {.epochs = 0.5}, 8);
  EXPECT_EQ(first.weights, again.weights);
  EXPECT_EQ(first.report.objective, again.report.objective);
  EXPECT_NE(first.weights, other.weights);
}

/// The algorithm as it is written, without the tricks of the implementation.
TEST(Sgd, equals_the_plain_recursion) {
  const Problem problem({}, 0.1);
  constexpr double kRate = 0.003;
  const double n = problem.by_query.num_terms();
  const Random random(3);
  std::vector<double> w(7, 0.5);
  std::vector<double> average(7);
  double total = 0;
  for (std::uint64_t t = 1; t <= 200; ++t) {
    const double rate = kRate / (1 + kRate * static_cast<double>(t) / n);
    std::vector<double> slope(7);
    const std::vector<StochasticObjective::Target> targets{{1.0, slope}};
    problem.by_query.add_slope(random, t, w, 1, targets);
    for (std::size_t f = 0; f < 7; ++f) {
      w[f] -= rate * (w[f] / n + slope[f]);
      average[f] += static_cast<double>(t) * w[f];
    }
    total += static_cast<double>(t);
  }
  const auto result = minimise_sgd(problem.by_query, std::vector<double>(7, 0.5),
                                   {.epochs = 200 / n, .learning_rate = kRate}, 3);
  for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(result.weights[f], average[f] / total, 1e-10);
}

TEST(Sgd, ends_with_usable_weights_when_told_to_stop) {
  const Problem problem({}, 0.1);
  int asked = 0;
  const auto result = minimise_sgd(problem.by_query, kStart, {.epochs = 1000}, 1,
                                   [&](const SolveReport&) { return ++asked == 3; });
  EXPECT_EQ(result.report.termination, Termination::interrupted);
  EXPECT_LT(result.report.objective, problem.by_query.assess(kStart).value);
}

}  // namespace
}  // namespace rankine
