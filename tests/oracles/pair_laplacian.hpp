// The Laplacian of a query's pairs, by going over all of them, and the squared errors it stands
// for.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "compute/laplacian_rows.hpp"

namespace rankine::oracles {

/// Calls visit(i, j, weight, difference asked for) for every pair that counts, once.
inline void for_each_pair(
    const QueryDocuments& query, PairGraph graph,
    const std::function<void(std::size_t, std::size_t, double, double)>& visit) {
  const auto weight = [&](std::size_t doc) {
    return query.weights.empty() ? 1.0 : query.weights[doc];
  };
  for (const ListedPair& pair : query.pairs) {
    visit(pair.winner, pair.loser, pair.weight * weight(pair.winner) * weight(pair.loser),
          pair.magnitude);
  }
  if (!query.pairs.empty()) return;
  for (std::size_t i = 0; i < query.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (graph == PairGraph::different_grades && query.grades[i] == query.grades[j]) continue;
      visit(i, j, weight(i) * weight(j), query.grades[i] - query.grades[j]);
    }
  }
}

/// Row-major; the identity times the weights where graph is none.
inline std::vector<double> pair_laplacian(const QueryDocuments& query, PairGraph graph) {
  const std::size_t size = query.size();
  std::vector<double> laplacian(size * size);
  if (graph == PairGraph::none) {
    for (std::size_t i = 0; i < size; ++i) {
      laplacian[i * size + i] = query.weights.empty() ? 1.0 : query.weights[i];
    }
    return laplacian;
  }
  for_each_pair(query, graph, [&](std::size_t i, std::size_t j, double weight, double) {
    laplacian[i * size + i] += weight;
    laplacian[j * size + j] += weight;
    laplacian[i * size + j] -= weight;
    laplacian[j * size + i] -= weight;
  });
  return laplacian;
}

/// sum over pairs of weight * (difference asked for - difference of scores)^2.
inline double squared_errors(const QueryDocuments& query, PairGraph graph,
                             std::span<const double> scores) {
  double sum = 0;
  if (graph == PairGraph::none) {
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double error = query.grades[i] - scores[i];
      sum += (query.weights.empty() ? 1.0 : query.weights[i]) * error * error;
    }
    return sum;
  }
  for_each_pair(query, graph, [&](std::size_t i, std::size_t j, double weight, double asked) {
    const double error = asked - (scores[i] - scores[j]);
    sum += weight * error * error;
  });
  return sum;
}

}  // namespace rankine::oracles
