// What holds for every solver on every smooth loss: the same minimum, a certificate that is true,
// an end whenever the caller wants one, the same bits for any number of threads. What is true is
// for the slow backend to say.
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/slow_backend.hpp"
#include "features/kernel.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "objectives/kernel_objective.hpp"
#include "objectives/nonsmooth_ranking_objective.hpp"
#include "objectives/ranking_objective.hpp"
#include "objectives/ridge/query_terms.hpp"
#include "oracles/random_dataset.hpp"
#include "solvers/cutting_plane.hpp"
#include "solvers/kernel_newton.hpp"
#include "solvers/newton.hpp"
#include "solvers/newton_path.hpp"
#include "solvers/ridge/ridge_cg.hpp"
#include "solvers/sgd.hpp"

namespace rankine {
namespace {

using conformance::Vector;

constexpr double kC = 0.3;

/// penalty(w) + C loss(w) over some data.
struct Setting {
  Setting(Dataset of, Loss loss_kind, int num_threads)
      : data(std::move(of)),
        table(data, Normalisation::query, 1),
        kind(loss_kind),
        threads(num_threads),
        loss(make_pair_loss({.loss = kind}, data)),
        evaluator(default_backend().loss_evaluator(FeatureRows(data.features), data.num_documents(),
                                                   table, *loss, threads)),
        start(static_cast<std::size_t>(data.num_features())) {}
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  /// By the slow backend.
  std::unique_ptr<SmoothObjective::Point> truth(std::span<const double> weights) const {
    const auto slow = conformance::SlowBackend().loss_evaluator(
        FeatureRows(data.features), data.num_documents(), table, *loss, 1);
    return RankingObjective(*slow, C, {}, penalty).at(weights);
  }

  Dataset data;
  QueryTable table;
  Loss kind;
  int threads;
  std::unique_ptr<QueryLoss> loss;
  std::unique_ptr<LossEvaluator> evaluator;
  Vector start;
  double C = kC;
  Penalty penalty;
  ColumnScale columns;
};

struct Solver {
  std::string name;
  double tolerance;  // what it reaches, of the objective
  bool descends;     // from iteration to iteration
  bool by_column;    // takes a penalty with factors
  std::function<SolveResult(const Setting&, const StopRequest&)> minimise;
};

/// With the linear kernel, whose functions have weights.
SolveResult by_kernel(const Setting& setting, const StopRequest& stop) {
  const auto scores =
      default_backend().score_evaluator(setting.table, *setting.loss, setting.threads);
  const FeatureMatrix rows = take_rows(setting.data.features, scores->rows());
  const auto kernel =
      default_backend().kernel_operator(rows, KernelFormula{}, true, setting.threads);
  const KernelObjective objective(*kernel, *scores, nullptr, setting.threads, setting.penalty);
  SolveResult result = minimise_kernel_newton(objective, setting.C, Vector(objective.size()),
                                              {.tolerance = 1e-9}, stop);
  Vector weights(setting.start.size());
  for (std::size_t doc = 0; doc < result.weights.size(); ++doc) {
    const Vector row = conformance::unpacked_row(FeatureRows(rows), static_cast<std::int64_t>(doc));
    for (std::size_t f = 0; f < weights.size(); ++f) weights[f] += result.weights[doc] * row[f];
  }
  result.weights = std::move(weights);
  return result;
}

/// Its objective is loss + alpha |w|^2, ours over C: alpha is half the penalty's strength over C.
SolveResult by_ridge(const Setting& setting, const StopRequest& stop) {
  const std::vector<double> alphas{setting.penalty.l2() / (2 * setting.C)};
  RidgeCgResult found = solve_ridge_cg(*setting.evaluator, {}, alphas, 1e-10, 1000, stop);
  SolveResult result{found.solutions[0].weights, found.reports[0]};
  result.report.objective *= setting.C;
  result.report.gap *= setting.C;
  return result;
}

std::vector<Solver> all_solvers() {
  const NewtonOptions newton{.tolerance = 1e-9};
  return {
      {"newton", 1e-7, true, true,
       [=](const Setting& s, const StopRequest& stop) {
         return minimise_newton(RankingObjective(*s.evaluator, s.C, s.columns, s.penalty), s.start,
                                newton, stop);
       }},
      {"newton_by_gradient", 1e-7, true, true,
       [=](const Setting& s, const StopRequest& stop) {
         return minimise_newton(RankingObjective(*s.evaluator, s.C, s.columns, s.penalty), s.start,
                                {.tolerance = 1e-6, .stopping = Stopping::gradient}, stop);
       }},
      {"newton_path", 1e-7, true, true,
       [=](const Setting& s, const StopRequest& stop) {
         return minimise_newton_path(
                    RankingPath(*s.evaluator, {s.C, 10 * s.C}, s.columns, s.penalty), newton, stop)
             .front();
       }},
      {"kernel_newton", 1e-5, true, false, by_kernel},
      {"cutting_plane", 1e-4, false, true,
       [](const Setting& s, const StopRequest& stop) {
         return minimise_cutting_plane(
             NonsmoothRankingObjective(*s.evaluator, s.C, s.columns, s.penalty), s.start,
             {.tolerance = 1e-4}, stop);
       }},
      {"sgd", 0.05, false, false,
       [](const Setting& s, const StopRequest& stop) {
         return minimise_sgd(
             QueryTerms(s.data, s.table, *s.loss, *s.evaluator, s.C, s.columns, s.penalty), s.start,
             {.epochs = 300}, 1, stop);
       }},
      {"ridge_cg", 1e-9, false, false, by_ridge},
  };
}

class SolverConformance : public testing::TestWithParam<Solver> {
 protected:
  static std::deque<Setting> settings(int threads) {
    std::mt19937_64 random(9);
    // Few columns, many and sparse ones: each has its way to solve a Newton system.
    const Dataset narrow = oracles::random_dataset(
        random, {.queries = 25, .most_documents = 12, .features = 5, .weighted = true});
    const Dataset wide =
        oracles::random_dataset(random, {.queries = 12, .most_documents = 12, .features = 60});
    const Dataset sparse =
        oracles::as_sparse(oracles::random_dataset(random, {.queries = 15, .most_documents = 12}));
    std::deque<Setting> all;
    for (const Dataset& data : {narrow, wide, sparse}) {
      for (const Loss loss : {Loss::squared_hinge, Loss::huber, Loss::logistic, Loss::squared}) {
        if (GetParam().name == "ridge_cg" && loss != Loss::squared) continue;
        all.emplace_back(data, loss, threads);
      }
    }
    return all;
  }
};

/// The least objective there is, certified by the slow backend's gradient.
double minimum(const Setting& setting) {
  const RankingObjective objective(*setting.evaluator, setting.C, {}, setting.penalty);
  const auto result = minimise_newton(objective, setting.start, {.tolerance = 1e-13});
  const auto point = setting.truth(result.weights);
  const double gap = setting.penalty.gap(point->gradient);
  EXPECT_LE(gap, 1e-6 * point->value);
  return point->value - gap;
}

TEST_P(SolverConformance, reaches_the_minimum_and_certifies_it_truly) {
  for (const Setting& setting : settings(2)) {
    SCOPED_TRACE(std::string(name_of(setting.kind)) + " " +
                 std::to_string(setting.data.num_features()));
    const SolveResult result = GetParam().minimise(setting, {});
    EXPECT_TRUE(result.report.termination == Termination::converged ||
                result.report.termination == Termination::completed ||
                result.report.termination == Termination::no_progress);
    const double least = minimum(setting);
    const double value = setting.truth(result.weights)->value;
    EXPECT_LE(value, least * (1 + GetParam().tolerance) + 2e-6 * least);
    EXPECT_NEAR(result.report.objective, value, 1e-5 * value);
    EXPECT_GE(result.report.gap + 2e-6 * value, value - least);
  }
}

TEST_P(SolverConformance, ends_where_it_is_stopped_with_the_best_so_far_and_a_true_certificate) {
  for (const Setting& setting : settings(1)) {
    SCOPED_TRACE(std::string(name_of(setting.kind)) + " " +
                 std::to_string(setting.data.num_features()));
    const double least = minimum(setting);
    const double first = setting.truth(setting.start)->value;
    double last = first;
    for (const int most : {0, 1, 2, 4}) {
      int asked = 0;
      const SolveResult result =
          GetParam().minimise(setting, [&](const SolveReport&) { return asked++ >= most; });
      const double value = setting.truth(result.weights)->value;
      EXPECT_TRUE(asked <= most || result.report.termination == Termination::interrupted ||
                  value <= least * (1 + 1e-5));
      EXPECT_GE(result.report.gap + 1e-5 * value, value - least);
      EXPECT_TRUE(!GetParam().descends || value <= last * (1 + 1e-6));
      last = value;
    }
  }
}

TEST_P(SolverConformance, gives_the_same_bits_for_any_number_of_threads) {
  const auto one = settings(1);
  for (const int threads : {2, 3}) {
    const auto several = settings(threads);
    for (std::size_t k = 0; k < one.size(); ++k) {
      const SolveResult expected = GetParam().minimise(one[k], {});
      const SolveResult found = GetParam().minimise(several[k], {});
      EXPECT_EQ(found.weights, expected.weights) << name_of(one[k].kind);
      EXPECT_EQ(found.report.objective, expected.report.objective);
      EXPECT_EQ(found.report.gap, expected.report.gap);
    }
  }
}

TEST_P(SolverConformance, takes_a_stronger_penalty_as_a_loss_that_counts_less) {
  constexpr double kStrength = 4;
  auto usual = settings(1);
  auto strong = settings(1);
  for (std::size_t k = 0; k < usual.size(); ++k) {
    usual[k].C = kC / kStrength;
    strong[k].penalty = Penalty::l2(kStrength);
    const SolveResult expected = GetParam().minimise(usual[k], {});
    const SolveResult found = GetParam().minimise(strong[k], {});
    const double value = found.report.objective;
    const double allowed = GetParam().name == "sgd" ? 0.1 : 2e-4;
    EXPECT_NEAR(value, kStrength * expected.report.objective, allowed * value);
    EXPECT_NEAR(strong[k].truth(found.weights)->value, value, 1e-5 * value);
    EXPECT_GE(found.report.gap + 2e-6 * value, value - minimum(strong[k]));
  }
}

TEST_P(SolverConformance, takes_a_penalty_by_column_as_columns_that_are_scaled) {
  if (!GetParam().by_column) return;
  auto scaled = settings(1);
  auto weighed = settings(1);
  for (std::size_t k = 0; k < scaled.size(); ++k) {
    Vector factors;
    Vector roots;
    for (std::size_t f = 0; f < scaled[k].start.size(); ++f) {
      factors.push_back(0.5 + static_cast<double>(f % 4));
      roots.push_back(1 / std::sqrt(factors.back()));
    }
    scaled[k].columns = ColumnScale(roots);
    weighed[k].penalty = Penalty().with_factors(factors);
    const SolveResult expected = GetParam().minimise(scaled[k], {});
    const SolveResult found = GetParam().minimise(weighed[k], {});
    const double value = found.report.objective;
    EXPECT_NEAR(value, expected.report.objective, 2e-4 * value);
    EXPECT_NEAR(weighed[k].truth(found.weights)->value, value, 1e-5 * value);
    EXPECT_GE(found.report.gap + 2e-6 * value, value - minimum(weighed[k]));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SolverConformance, testing::ValuesIn(all_solvers()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace rankine
