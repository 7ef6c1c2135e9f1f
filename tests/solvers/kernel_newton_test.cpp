#include "solvers/kernel_newton.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "compute/cpu/kernel_matrix.hpp"
#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "objectives/ranking_objective.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

struct Problem {
  explicit Problem(KernelSpec spec, unsigned seed = 3)
      : kernel(spec),
        data(make(seed)),
        table(data, Normalisation::none, 1),
        sweep(table, kLoss, 1) {
    rows = take_rows(data.features, sweep.rows());
    matrix = std::make_unique<KernelMatrix>(rows, kernel_formula(kernel), true, 1);
  }
  static Dataset make(unsigned seed) {
    std::mt19937_64 random(seed);
    return oracles::random_dataset(random, {.queries = 15, .most_documents = 12, .features = 4});
  }
  KernelSpec kernel;
  Dataset data;
  QueryTable table;
  CpuScoreEvaluator sweep;
  FeatureMatrix rows;
  std::unique_ptr<KernelMatrix> matrix;
};

TEST(KernelNewton, with_the_linear_kernel_finds_the_linear_minimum) {
  const Problem problem({.kind = Kernel::linear});
  const CpuLossEvaluator sweep(problem.data, problem.table, kLoss, 1);
  for (const double C : {0.01, 1.0, 30.0}) {
    const auto linear =
        minimise_newton(RankingObjective(sweep, C), std::vector<double>(4), {.tolerance = 1e-10});
    const KernelObjective objective(*problem.matrix, problem.sweep, nullptr, 1);
    const auto found = minimise_kernel_newton(objective, C, std::vector<double>(objective.size()),
                                              {.tolerance = 1e-8});
    EXPECT_NEAR(found.report.objective, linear.report.objective, 1e-5 * linear.report.objective);
    const auto& dense = std::get<DenseMatrix>(problem.rows);
    for (std::size_t f = 0; f < 4; ++f) {
      double weight = 0;
      for (std::size_t k = 0; k < found.weights.size(); ++k) {
        weight +=
            found.weights[k] * static_cast<double>(dense.row(static_cast<std::int64_t>(k))[f]);
      }
      EXPECT_NEAR(weight, linear.weights[f], 1e-3 * (1 + std::abs(linear.weights[f])));
    }
  }
}

TEST(KernelNewton, agrees_with_the_map_that_has_every_document_as_landmark) {
  const Problem problem({.kind = Kernel::rbf, .gamma = 0.3});
  FeatureMapOptions options;
  options.kernel = Kernel::rbf;
  options.gamma = 0.3;
  options.approximation = Approximation::nystroem;
  options.n_components = 1'000;
  options.rank_tolerance = 0;
  MapReport report;
  const auto map = fit_feature_map(options, problem.data.features, 1, 1, report);
  Dataset mapped = problem.data;
  mapped.features = map_rows(*map, problem.data.features, 1);
  const CpuLossEvaluator sweep(mapped, problem.table, kLoss, 1);
  const auto width = static_cast<std::size_t>(mapped.num_features());
  for (const double C : {0.1, 10.0}) {
    const auto linear = minimise_newton(RankingObjective(sweep, C), std::vector<double>(width),
                                        {.tolerance = 1e-10});
    const KernelObjective objective(*problem.matrix, problem.sweep, nullptr, 1);
    const auto found = minimise_kernel_newton(objective, C, std::vector<double>(objective.size()),
                                              {.tolerance = 1e-9});
    EXPECT_NEAR(found.report.objective, linear.report.objective, 1e-4 * linear.report.objective);
    EXPECT_LE(found.report.gap, 1e-4 * found.report.objective);
  }
}

TEST(KernelNewton, goes_on_without_a_preconditioner_that_misleads) {
  const Problem problem({.kind = Kernel::rbf, .gamma = 0.3});
  KernelFeatures features;  // nothing to do with the kernel
  const auto size = static_cast<std::int64_t>(problem.sweep.num_documents());
  features.rows =
      DenseMatrix{size, 2, std::vector<float>(static_cast<std::size_t>(2 * size), 40.0F)};
  for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k) {
    // NOLINTNEXTLINE: the test's own values
    const_cast<float*>(features.rows.values.data())[2 * k] = static_cast<float>(k % 7) * 9;
  }
  features.gram = {0.001F, 0, 0, 0.001F};
  const KernelObjective plain(*problem.matrix, problem.sweep, nullptr, 1);
  const KernelObjective misled(*problem.matrix, problem.sweep, &features, 1);
  const std::vector<double> start(plain.size());
  const auto expected = minimise_kernel_newton(plain, 1, start, {.tolerance = 1e-8});
  const auto found = minimise_kernel_newton(misled, 1, start, {.tolerance = 1e-8});
  EXPECT_NEAR(found.report.objective, expected.report.objective, 1e-3 * expected.report.objective);
}

TEST(KernelNewton, decreases_at_every_step_and_stops_when_told) {
  const Problem problem({.kind = Kernel::laplacian, .gamma = 0.5});
  const KernelObjective objective(*problem.matrix, problem.sweep, nullptr, 1);
  const std::vector<double> start(objective.size());
  const auto found = minimise_kernel_newton(objective, 5, start, {.tolerance = 1e-9});
  for (std::size_t k = 1; k < found.report.steps.size(); ++k) {
    EXPECT_LE(found.report.steps[k].objective, found.report.steps[k - 1].objective);
  }
  const auto stopped =
      minimise_kernel_newton(objective, 5, start, {.tolerance = 1e-9},
                             [](const SolveReport& r) { return r.iterations == 1; });
  EXPECT_EQ(stopped.report.termination, Termination::interrupted);
  EXPECT_LT(stopped.report.objective, found.report.steps[0].objective);
}

}  // namespace
}  // namespace rankine
