// The hinge RankSVM by coordinate ascent on its dual over listed pairs: slow, simple and exact.
//   maximise  sum a_p m_p - 1/2 |sum a_p z_p|^2  over 0 <= a_p <= C u_p,   z = x_winner - x_loser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <rankine/dataset.hpp>

#include "compute/query_table.hpp"
#include "oracles/naive_pairs.hpp"

namespace rankine::oracles {

struct HingeSolution {
  std::vector<double> weights;
  double primal = 0;
  double dual = 0;  // <= the minimum <= primal
};

inline HingeSolution solve_hinge_dual(const Dataset& data, const QueryTable& table, double C,
                                      int sweeps) {
  struct Pair {
    std::vector<double> difference;
    double cap;
    double share;
  };
  const auto& rows = std::get<DenseMatrix>(data.features);
  const auto width = static_cast<std::size_t>(rows.num_columns);
  std::vector<Pair> pairs;
  for (const auto& query : table.queries()) {
    for_each_pair(table.documents(query), [&](std::size_t i, std::size_t j, double weight) {
      Pair pair{std::vector<double>(width), C * query.factor * weight, 0};
      const auto high = rows.row(query.first + static_cast<std::int64_t>(i));
      const auto low = rows.row(query.first + static_cast<std::int64_t>(j));
      for (std::size_t f = 0; f < width; ++f) {
        pair.difference[f] = static_cast<double>(high[f]) - static_cast<double>(low[f]);
      }
      pairs.push_back(std::move(pair));
    });
  }
  HingeSolution solution{std::vector<double>(width), 0, 0};
  auto& w = solution.weights;
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t f = 0; f < a.size(); ++f) sum += a[f] * b[f];
    return sum;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Pair& pair : pairs) {
      const double norm = dot(pair.difference, pair.difference);
      if (norm == 0) {
        pair.share = pair.cap;
        continue;
      }
      const double wanted = pair.share + (1 - dot(w, pair.difference)) / norm;
      const double next = std::clamp(wanted, 0.0, pair.cap);
      for (std::size_t f = 0; f < width; ++f) w[f] += (next - pair.share) * pair.difference[f];
      pair.share = next;
    }
  }
  solution.primal = 0.5 * dot(w, w);
  solution.dual = -0.5 * dot(w, w);
  for (const Pair& pair : pairs) {
    solution.primal += pair.cap * std::max(0.0, 1 - dot(w, pair.difference));
    solution.dual += pair.share;
  }
  return solution;
}

}  // namespace rankine::oracles
