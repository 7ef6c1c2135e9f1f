#include "solvers/simplex_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// Planes of random slopes of very different lengths; more planes than features makes G singular.
SimplexQuadratic random_problem(std::mt19937_64& random, std::size_t planes, std::size_t width) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> slopes(planes, std::vector<double>(width));
  SimplexQuadratic problem;
  for (auto& slope : slopes) {
    const double length = std::exp(2 * normal(random));
    for (double& entry : slope) entry = length * normal(random);
    problem.linear.push_back(normal(random));
  }
  std::fill(slopes[0].begin(), slopes[0].end(), 0.0);
  problem.linear[0] = 0;
  for (const auto& a : slopes) {
    for (const auto& b : slopes) {
      problem.gram.push_back(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
    }
  }
  return problem;
}

TEST(SimplexQuadratic, reaches_the_maximum_by_its_certificate) {
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t planes = 1 + random() % 40;
    const auto problem = random_problem(random, planes, 1 + random() % 12);
    std::vector<double> a(planes);
    a[random() % planes] = 1;
    const double start = problem.value(a);
    maximise(problem, 1e-9, a);
    double sum = 0;
    for (const double entry : a) {
      EXPECT_GE(entry, 0);
      sum += entry;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LE(optimality_gap(problem, a), 1e-7) << planes << " planes, repeat " << repeat;
    EXPECT_GE(problem.value(a), start - 1e-9);
  }
}

TEST(SimplexQuadratic, certificate_bounds_the_distance_from_the_maximum) {
  std::mt19937_64 random(5);
  const auto problem = random_problem(random, 8, 3);
  std::vector<double> best(8);
  best[0] = 1;
  maximise(problem, 1e-12, best);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<double> a(8);
    for (double& entry : a) entry = static_cast<double>(random() % 1000);
    const double sum = std::accumulate(a.begin(), a.end(), 0.0);
    for (double& entry : a) entry /= sum;
    EXPECT_LE(problem.value(best) - problem.value(a), optimality_gap(problem, a) + 1e-9);
    EXPECT_GE(problem.value(best), problem.value(a) - 1e-9);
  }
}

TEST(SimplexQuadratic, the_plane_of_the_zero_function_alone_is_its_own_solution) {
  const SimplexQuadratic problem{{0}, {0}};
  std::vector<double> a{1};
  maximise(problem, 0, a);
  EXPECT_EQ(a[0], 1);
}

TEST(SimplexQuadratic, equal_planes_do_no_harm) {
  const SimplexQuadratic problem{{4, 4, 4, 4}, {1, 1}};
  std::vector<double> a{1, 0};
  maximise(problem, 1e-12, a);
  EXPECT_NEAR(problem.value(a), -1, 1e-12);
}

}  // namespace
}  // namespace rankine
