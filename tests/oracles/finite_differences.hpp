// Derivatives of a query loss checked by differences of its values and gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/loss.hpp>

namespace rankine::oracles {

/// The documents sorted as the loss asks.
inline std::vector<std::uint32_t> order_for(const QueryLoss& loss, const QueryDocuments& query,
                                            std::span<const double> scores) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t doc) {
    return loss.order_less_grade() ? scores[doc] - query.grades[doc] : scores[doc];
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  return order;
}

inline double gradient_at(const QueryLoss& loss, const QueryDocuments& query,
                          std::span<const double> scores, std::span<double> out) {
  return loss.gradient(query, {scores, order_for(loss, query, scores)}, out);
}

/// Requires: no pair of documents at a kink within `step`.
inline void expect_gradient_is_derivative(const QueryLoss& loss, const QueryDocuments& query,
                                          std::span<const double> scores, double step = 1e-6) {
  std::vector<double> gradient(scores.size());
  std::vector<double> ignored(scores.size());
  const double value = gradient_at(loss, query, scores, gradient);
  for (std::size_t doc = 0; doc < scores.size(); ++doc) {
    std::vector<double> up(scores.begin(), scores.end());
    std::vector<double> down(up);
    up[doc] += step;
    down[doc] -= step;
    const double slope =
        (gradient_at(loss, query, up, ignored) - gradient_at(loss, query, down, ignored)) /
        (2 * step);
    EXPECT_NEAR(gradient[doc], slope, 1e-5 + 1e-14 * value / step);
  }
}

inline void expect_hessian_is_second_derivative(const QueryLoss& loss, const QueryDocuments& query,
                                                std::span<const double> scores,
                                                std::span<const double> direction,
                                                double step = 1e-7) {
  std::vector<double> up(scores.begin(), scores.end());
  std::vector<double> down(up);
  for (std::size_t doc = 0; doc < up.size(); ++doc) {
    up[doc] += step * direction[doc];
    down[doc] -= step * direction[doc];
  }
  std::vector<double> at_up(up.size());
  std::vector<double> at_down(up.size());
  gradient_at(loss, query, up, at_up);
  gradient_at(loss, query, down, at_down);
  std::vector<double> product(up.size());
  loss.hessian_times(query, {scores, order_for(loss, query, scores)}, direction, product);
  for (std::size_t doc = 0; doc < up.size(); ++doc) {
    EXPECT_NEAR(product[doc], (at_up[doc] - at_down[doc]) / (2 * step),
                1e-5 * (1 + std::abs(product[doc])));
  }
}

}  // namespace rankine::oracles
