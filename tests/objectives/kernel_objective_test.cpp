#include "objectives/kernel_objective.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/cpu_backend.hpp"
#include "compute/cpu/kernel_matrix.hpp"
#include "compute/cpu/pair_gram.hpp"
#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

TEST(KernelPreconditioner, inverts_the_system_at_scores_0_when_its_features_are_exact) {
  std::mt19937_64 random(3);
  const Dataset all = oracles::random_dataset(random, {.queries = 12, .most_documents = 9});
  const QueryTable table(all, Normalisation::none, 1);
  const CpuScoreEvaluator sweep(table, kLoss, 1);
  const FeatureMatrix rows = take_rows(all.features, sweep.rows());
  FeatureMapOptions options;
  options.kernel = Kernel::rbf;
  options.gamma = 0.3;
  options.approximation = Approximation::nystroem;
  options.n_components = num_rows(rows);
  MapReport report;
  const auto map = fit_feature_map(options, rows, 1, 1, report);
  KernelFeatures features;
  features.rows = map_rows(*map, rows, 1);
  // The gram of all documents, from a map of the whole data set.
  const DenseMatrix everything = map_rows(*map, all.features, 1);
  const FeatureMatrix whole = everything;
  features.gram = pair_gram(FeatureRows(whole), table, kLoss, 1, 1);
  const KernelMatrix kernel(rows, kernel_formula({.kind = Kernel::rbf, .gamma = 0.3}), true, 1);
  const KernelObjective objective(kernel, sweep, &features, 1);
  constexpr double kC = 0.7;
  const KernelObjective::Preconditioner preconditioner(objective, kC);
  ASSERT_TRUE(preconditioner.works());
  std::vector<double> vector(objective.size());
  for (std::size_t k = 0; k < vector.size(); ++k) vector[k] = std::sin(static_cast<double>(k));
  std::vector<double> solved(vector.size());
  preconditioner.apply(vector, solved);
  std::vector<double> image(vector.size());
  std::vector<double> back(vector.size());
  objective.kernel_times(solved, image);
  sweep.hessian_times(*sweep.at(std::vector<double>(vector.size())), image, back);
  for (std::size_t k = 0; k < vector.size(); ++k) {
    EXPECT_NEAR(solved[k] + kC * back[k], vector[k], 5e-3);
  }
  EXPECT_FALSE(
      KernelObjective::Preconditioner(KernelObjective(kernel, sweep, nullptr, 1), kC).works());
}

}  // namespace
}  // namespace rankine
