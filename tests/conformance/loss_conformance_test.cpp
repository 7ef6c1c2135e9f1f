// What holds for every loss and every way to weigh its pairs: derivatives, and the order of
// documents.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/options.hpp>

#include "conformance/all_losses.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "oracles/finite_differences.hpp"
#include "oracles/random_dataset.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

using conformance::all_losses;
using conformance::LossCase;

class LossConformance : public testing::TestWithParam<LossCase> {
 protected:
  LossConformance() {
    std::mt19937_64 random(7);
    loss_ = make_pair_loss(GetParam().options, oracles::random_dataset(random, {}));
  }

  /// Scores that no kink is near: differences of pairs stay away from whole numbers.
  static std::vector<double> smooth_scores(std::mt19937_64& random, std::size_t size) {
    std::uniform_real_distribution<double> real(-2, 2);
    std::vector<double> scores(size);
    for (double& score : scores) score = real(random);
    return scores;
  }

  std::unique_ptr<QueryLoss> loss_;
};

TEST_P(LossConformance, has_the_gradient_that_differences_show) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const auto query = oracles::random_query(random, 6, round % 2 == 0 ? 3 : 0, round % 3 == 0);
    const auto scores = smooth_scores(random, 6);
    oracles::expect_gradient_is_derivative(*loss_, query.documents(), scores);
  }
}

TEST_P(LossConformance, has_the_hessian_that_differences_of_gradients_show) {
  if (!loss_->has_hessian()) return;
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const auto query = oracles::random_query(random, 6, round % 2 == 0 ? 3 : 0, round % 3 == 0);
    const auto scores = smooth_scores(random, 6);
    oracles::expect_hessian_is_second_derivative(*loss_, query.documents(), scores,
                                                 smooth_scores(random, 6));
  }
}

TEST_P(LossConformance, is_never_negative_and_the_same_for_documents_in_any_order) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    const auto query = oracles::random_query(random, 9, round % 2 == 0 ? 3 : 0, true);
    std::vector<double> gradient(9);
    const double value = oracles::gradient_at(*loss_, query.documents(), query.scores, gradient);
    EXPECT_GE(value, 0);
    auto turned = query;
    std::reverse(turned.grades.begin(), turned.grades.end());
    std::reverse(turned.ranks.begin(), turned.ranks.end());
    std::reverse(turned.weights.begin(), turned.weights.end());
    std::reverse(turned.scores.begin(), turned.scores.end());
    std::vector<double> turned_gradient(9);
    EXPECT_NEAR(oracles::gradient_at(*loss_, turned.documents(), turned.scores, turned_gradient),
                value, 1e-9 * (1 + value));
    for (std::size_t doc = 0; doc < 9; ++doc) {
      EXPECT_NEAR(turned_gradient[8 - doc], gradient[doc], 1e-9 * (1 + value));
    }
  }
}

TEST_P(LossConformance, ignores_shifts_where_it_says_so) {
  if (!loss_->needs().ignores_shifts) return;
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const auto query = oracles::random_query(random, 9, round % 2 == 0 ? 3 : 0, true);
    auto shifted = query.scores;
    for (double& score : shifted) score += 4;  // a power of two: pairs keep their differences
    std::vector<double> gradient(9);
    std::vector<double> there(9);
    const double value = oracles::gradient_at(*loss_, query.documents(), query.scores, gradient);
    EXPECT_NEAR(oracles::gradient_at(*loss_, query.documents(), shifted, there), value,
                1e-9 * (1 + value));
    double sum = 0;
    for (const double slope : gradient) sum += slope;
    EXPECT_NEAR(sum, 0, 1e-9 * (1 + value));
  }
}

TEST_P(LossConformance, counts_a_weight_of_two_in_each_pair_of_its_document) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 20; ++round) {
    auto query = oracles::random_query(random, 8, 3, true);
    std::vector<double> gradient(8);
    const double value = oracles::gradient_at(*loss_, query.documents(), query.scores, gradient);
    for (double& weight : query.weights) weight *= 2;  // of both documents of a pair
    std::vector<double> heavier(8);
    EXPECT_NEAR(oracles::gradient_at(*loss_, query.documents(), query.scores, heavier), 4 * value,
                1e-9 * (1 + value));
    for (std::size_t doc = 0; doc < 8; ++doc) {
      EXPECT_NEAR(heavier[doc], 4 * gradient[doc], 1e-9 * (1 + value));
    }
  }
}

TEST_P(LossConformance, has_the_name_of_its_option) {
  EXPECT_EQ(loss_->name(), name_of(GetParam().options.loss));
}

INSTANTIATE_TEST_SUITE_P(Every, LossConformance, testing::ValuesIn(all_losses()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace rankine
