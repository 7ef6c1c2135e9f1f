#include "losses/pairs/piecewise_quadratic_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/naive_pairs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

oracles::KernelFormula as_function(const std::vector<QuadraticPiece>& pieces) {
  const auto sum = [pieces](const auto& term) {
    return [pieces, term](double t) {
      double total = 0;
      for (const auto& piece : pieces) {
        if (t < piece.margin) total += piece.coefficient * term(piece.margin - t);
      }
      return total;
    };
  };
  return {sum([](double h) { return h * h; }), sum([](double h) { return -2 * h; }),
          sum([](double) { return 2.0; })};
}

struct Case {
  std::string name;
  std::vector<QuadraticPiece> pieces;
  PairWeighting weighting;
};

class PiecewiseQuadraticPairsTest : public testing::TestWithParam<Case> {};

TEST_P(PiecewiseQuadraticPairsTest, equals_listing_the_pairs) {
  const Case& given = GetParam();
  const PiecewiseQuadraticPairs loss(given.name, given.pieces, given.weighting);
  const auto function = as_function(given.pieces);
  std::mt19937_64 random(7);
  for (int repeat = 0; repeat < 600; ++repeat) {
    const int levels = std::vector<int>{0, 1, 2, 3, 8, 9, 40}[random() % 7];
    const auto query = oracles::random_query(random, random() % 40, levels, random() % 2 == 0);
    const auto cost = [&](std::size_t i, std::size_t j) {
      return given.weighting == PairWeighting::uniform ? 1.0 : query.grades[i] - query.grades[j];
    };
    std::vector<double> fast(query.scores.size());
    std::vector<double> slow(query.scores.size());
    const double value = loss.gradient(query.documents(), query.point(), fast);
    const double expected =
        oracles::naive_gradient(query.documents(), query.scores, function, cost, slow);
    EXPECT_NEAR(value, expected, 1e-10 * (1 + std::abs(expected)));
    for (std::size_t k = 0; k < slow.size(); ++k) {
      EXPECT_NEAR(fast[k], slow[k], 1e-10 * (1 + std::abs(slow[k])));
    }
    std::vector<double> direction(query.scores.size());
    for (double& entry : direction) entry = static_cast<double>(random() % 100) / 50 - 1;
    loss.hessian_times(query.documents(), query.point(), direction, fast);
    oracles::naive_hessian_times(query.documents(), query.scores, function, cost, direction, slow);
    for (std::size_t k = 0; k < slow.size(); ++k) {
      EXPECT_NEAR(fast[k], slow[k], 1e-10 * (1 + std::abs(slow[k])));
    }
  }
}

TEST_P(PiecewiseQuadraticPairsTest, does_not_change_when_all_scores_shift) {
  const PiecewiseQuadraticPairs loss(GetParam().name, GetParam().pieces, GetParam().weighting);
  std::mt19937_64 random(11);
  auto query = oracles::random_query(random, 30, 4, true);
  std::vector<double> here(30);
  std::vector<double> there(30);
  const double value = loss.gradient(query.documents(), query.point(), here);
  for (double& score : query.scores) score += 1024;  // exact in binary
  EXPECT_NEAR(loss.gradient(query.documents(), query.point(), there), value, 1e-8 * (1 + value));
}

INSTANTIATE_TEST_SUITE_P(
    Losses, PiecewiseQuadraticPairsTest,
    testing::Values(Case{"squared_hinge", squared_hinge_pieces(), PairWeighting::uniform},
                    Case{"huber", huber_pieces(), PairWeighting::uniform},
                    Case{"three_pieces", {{0.5, 2}, {1, 0.25}, {0.1, -1}}, PairWeighting::uniform},
                    Case{"graded_squared_hinge", squared_hinge_pieces(),
                         PairWeighting::grade_difference},
                    Case{"graded_huber", huber_pieces(), PairWeighting::grade_difference}),
    [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace rankine
