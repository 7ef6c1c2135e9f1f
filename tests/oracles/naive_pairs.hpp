// Pair losses the obvious way: every pair is listed, O(n^2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include <rankine/loss.hpp>

namespace rankine::oracles {

/// A loss of one score difference, with its first two derivatives, for a pair (winner, loser).
struct KernelFormula {
  std::function<double(double)> value;
  std::function<double(double)> slope;
  std::function<double(double)> curvature;
};

/// The weight of a pair, on top of its documents' weights.
using PairCost = std::function<double(std::size_t winner, std::size_t loser)>;

template <class Visit>
void for_each_pair(const QueryDocuments& query, const Visit& visit) {
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < query.size(); ++j) {
      if (query.grades[i] <= query.grades[j]) continue;
      visit(i, j, query.weights.empty() ? 1.0 : query.weights[i] * query.weights[j]);
    }
  }
}

inline double naive_gradient(const QueryDocuments& query, std::span<const double> scores,
                             const KernelFormula& loss, const PairCost& cost,
                             std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double total = 0;
  for_each_pair(query, [&](std::size_t i, std::size_t j, double weight) {
    const double t = scores[i] - scores[j];
    weight *= cost(i, j);
    total += weight * loss.value(t);
    out[i] += weight * loss.slope(t);
    out[j] -= weight * loss.slope(t);
  });
  return total;
}

inline void naive_hessian_times(const QueryDocuments& query, std::span<const double> scores,
                                const KernelFormula& loss, const PairCost& cost,
                                std::span<const double> direction, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_pair(query, [&](std::size_t i, std::size_t j, double weight) {
    const double bend = weight * cost(i, j) * loss.curvature(scores[i] - scores[j]);
    out[i] += bend * (direction[i] - direction[j]);
    out[j] -= bend * (direction[i] - direction[j]);
  });
}

}  // namespace rankine::oracles
