#include "objectives/penalty.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/inner_product.hpp"

namespace rankine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  std::string name;
  Penalty penalty;
};

std::vector<Case> all_penalties() {
  const std::vector<double> factors{1, 0.5, 2, 3};
  std::vector<Case> cases{{"half_norm", {}},
                          {"none", Penalty::none()},
                          {"l2", Penalty::l2(0.7)},
                          {"l1", Penalty::l1(0.6)},
                          {"elastic_net", Penalty::elastic_net(0.4, 0.3)}};
  for (std::size_t k = 2; k < 5; ++k) {
    cases.push_back({cases[k].name + "_by_column", cases[k].penalty.with_factors(factors)});
  }
  return cases;
}

std::vector<double> random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> vector(4);
  for (double& entry : vector) entry = normal(random);
  return vector;
}

class PenaltyTest : public testing::TestWithParam<Case> {
 protected:
  const Penalty& penalty() const { return GetParam().penalty; }
  /// By its definition.
  double defined(std::span<const double> w) const {
    const bool by_column = penalty().has_factors();
    const std::vector<double> factors =
        by_column ? std::vector<double>{1, 0.5, 2, 3} : std::vector<double>(4, 1);
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += factors[k] * (penalty().l1() * std::abs(w[k]) + penalty().l2() / 2 * w[k] * w[k]);
    }
    return sum;
  }
};

TEST_P(PenaltyTest, has_the_value_of_its_definition) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 10; ++round) {
    const auto w = random_vector(random);
    EXPECT_NEAR(penalty().value(w), defined(w), 1e-12);
  }
}

TEST_P(PenaltyTest, has_the_derivatives_that_differences_show) {
  if (!penalty().is_smooth()) return;
  std::mt19937_64 random(2);
  const auto w = random_vector(random);
  const auto d = random_vector(random);
  std::vector<double> gradient(4, 5.0);  // is added to
  penalty().add_gradient(w, gradient);
  std::vector<double> product(4);
  penalty().add_hessian_times(d, product);
  std::vector<double> matrix(16);
  penalty().add_hessian(std::span(matrix), 4, 2);
  constexpr double kStep = 1e-5;
  for (std::size_t k = 0; k < 4; ++k) {
    auto up = w;
    auto down = w;
    up[k] += kStep;
    down[k] -= kStep;
    const double first = (defined(up) - defined(down)) / (2 * kStep);
    EXPECT_NEAR(gradient[k] - 5, first, 1e-8);
    const double second = (defined(up) - 2 * defined(w) + defined(down)) / (kStep * kStep);
    EXPECT_NEAR(matrix[k * 4 + k], 2 * second, 1e-4);
    EXPECT_NEAR(product[k], second * d[k], 1e-4 * (1 + std::abs(d[k])));
  }
  EXPECT_EQ(matrix[1], 0);
}

TEST_P(PenaltyTest, agrees_along_a_segment_with_points_on_it) {
  if (!penalty().is_smooth()) return;
  std::mt19937_64 random(3);
  const auto a = random_vector(random);
  const auto b = random_vector(random);
  const auto at = [&](double t) {
    std::vector<double> w(4);
    for (std::size_t k = 0; k < 4; ++k) w[k] = a[k] + t * (b[k] - a[k]);
    return defined(w);
  };
  LineValue line{1, 2};
  penalty().add_line(a, b, 0.3, line);
  EXPECT_NEAR(line.value - 1, at(0.3), 1e-12);
  EXPECT_NEAR(line.slope - 2, (at(0.3 + 1e-6) - at(0.3 - 1e-6)) / 2e-6, 1e-7);
}

TEST_P(PenaltyTest, has_a_conjugate_that_no_weights_exceed_and_some_reach) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const auto slope = random_vector(random);
    const double conjugate = penalty().conjugate(slope);
    for (int trial = 0; trial < 50; ++trial) {
      const auto w = random_vector(random);
      EXPECT_GE(conjugate, dot(slope, w) - defined(w) - 1e-12);
    }
    if (penalty().l2() > 0) {  // reached where penalty - slope . w is least
      std::vector<double> turned(slope);
      for (double& entry : turned) entry = -entry;
      const auto w = penalty().minimiser(turned);
      EXPECT_NEAR(conjugate, dot(slope, w) - defined(w), 1e-12);
    }
  }
  EXPECT_EQ(penalty().conjugate(std::vector<double>(4)), 0);
}

TEST_P(PenaltyTest, takes_the_proximal_step_that_none_near_it_betters) {
  std::mt19937_64 random(5);
  constexpr double kStep = 0.8;
  for (int round = 0; round < 20; ++round) {
    const auto from = random_vector(random);
    std::vector<double> to(from);
    penalty().proximal_step(kStep, to);
    const auto cost = [&](std::span<const double> u) {
      double sum = kStep * defined(u);
      for (std::size_t k = 0; k < 4; ++k) sum += 0.5 * (u[k] - from[k]) * (u[k] - from[k]);
      return sum;
    };
    for (int trial = 0; trial < 50; ++trial) {
      auto near = random_vector(random);
      for (std::size_t k = 0; k < 4; ++k) near[k] = to[k] + 0.1 * near[k];
      EXPECT_GE(cost(near), cost(to) - 1e-12);
    }
  }
}

TEST_P(PenaltyTest, bounds_how_far_a_minimum_is) {
  if (!penalty().is_smooth()) return;
  // Least squares |w - c|^2 / 2 beside it, whose minimum is known.
  std::mt19937_64 random(6);
  for (int round = 0; round < 20; ++round) {
    const auto c = random_vector(random);
    const auto objective = [&](std::span<const double> w) {
      double sum = defined(w);
      for (std::size_t k = 0; k < 4; ++k) sum += 0.5 * (w[k] - c[k]) * (w[k] - c[k]);
      return sum;
    };
    std::vector<double> best(c);
    penalty().proximal_step(1, best);
    const auto w = random_vector(random);
    std::vector<double> gradient(4);
    for (std::size_t k = 0; k < 4; ++k) gradient[k] = w[k] - c[k];
    penalty().add_gradient(w, gradient);
    EXPECT_GE(penalty().gap(gradient), objective(w) - objective(best) - 1e-12);
  }
}

TEST_P(PenaltyTest, bounds_the_gap_of_any_convex_loss_by_its_conjugate) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const auto c = random_vector(random);
    const auto loss = [&](std::span<const double> w) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += 0.5 * (w[k] - c[k]) * (w[k] - c[k]);
      return sum;
    };
    std::vector<double> best(c);
    penalty().proximal_step(1, best);
    const double minimum = loss(best) + defined(best);
    std::vector<double> gradient(4);
    std::vector<double> turned(4);
    for (const auto& w : {random_vector(random), best}) {
      for (std::size_t k = 0; k < 4; ++k) {
        gradient[k] = w[k] - c[k];
        turned[k] = c[k] - w[k];
      }
      // At the minimum itself rounding may leave a slope an atom beyond what l1 takes.
      if (penalty().l2() == 0) {
        for (double& entry : turned) entry *= 1 - 1e-12;
      }
      const double gap = defined(w) + dot(gradient, w) + penalty().conjugate(turned);
      EXPECT_GE(gap, loss(w) + defined(w) - minimum - 1e-9);
      EXPECT_TRUE(w != best || std::abs(gap) <= 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, PenaltyTest, testing::ValuesIn(all_penalties()),
                         [](const auto& each) { return each.param.name; });

TEST(Penalty, of_a_free_column_bounds_nothing_there) {
  const Penalty penalty = Penalty::l2(2).with_factors({1, 0});
  EXPECT_EQ(penalty.value(std::vector<double>{3, 100}), 9);
  EXPECT_EQ(penalty.gap(std::vector<double>{2, 0}), 1);
  EXPECT_EQ(penalty.gap(std::vector<double>{2, 1e-9}), kInfinity);
}

TEST(Penalty, of_l1_sets_small_weights_to_zero) {
  std::vector<double> weights{0.3, -0.3, 2, -2};
  Penalty::l1(0.5).proximal_step(1, weights);
  EXPECT_EQ(weights, (std::vector<double>{0, 0, 1.5, -1.5}));
}

TEST(Penalty, of_a_function_is_of_its_squared_norm) {
  EXPECT_EQ(Penalty::l2(3).value_of_squared_norm(4), 6);
  EXPECT_EQ(Penalty::l2(2).gap_of_squared_norm(4), 1);
  EXPECT_EQ(Penalty::none().gap_of_squared_norm(4), kInfinity);
  EXPECT_EQ(Penalty::none().gap_of_squared_norm(0), 0);
}

TEST(Penalty, has_products_of_slopes_whose_square_is_twice_the_conjugate) {
  const std::vector<double> a{1, 2, 3, 4};
  const std::vector<double> b{2, -1, 0.5, 1};
  for (const Penalty& penalty : {Penalty(), Penalty::l2(2).with_factors({1, 2, 4, 8})}) {
    EXPECT_NEAR(penalty.conjugate(a), 0.5 * penalty.dual_product(a, a), 1e-12);
    EXPECT_NEAR(penalty.dual_product(a, b), penalty.dual_product(b, a), 1e-12);
    EXPECT_NEAR(penalty.dual_product(a, b), -dot(penalty.minimiser(a), b), 1e-12);
  }
}

}  // namespace
}  // namespace rankine
