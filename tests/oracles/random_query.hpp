// Random queries for tests: ties in grades and scores, weights, any number of grades.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <rankine/loss.hpp>

namespace rankine::oracles {

struct RandomQuery {
  std::vector<double> grades;
  std::vector<std::uint32_t> ranks;
  std::uint32_t num_grades = 0;
  std::vector<double> weights;
  std::vector<double> scores;
  std::vector<std::uint32_t> order;

  QueryDocuments documents() const { return {grades, ranks, num_grades, weights}; }
  QueryPoint point() const { return {scores, order}; }

  void sort() {
    order.resize(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return scores[a] < scores[b]; });
  }
};

/// levels = 0: real-valued grades. Some scores tie, some differ by exactly 1 (the margin).
inline RandomQuery random_query(std::mt19937_64& random, std::size_t size, int levels,
                                bool weighted) {
  RandomQuery query;
  std::uniform_real_distribution<double> real(-2, 2);
  for (std::size_t doc = 0; doc < size; ++doc) {
    query.grades.push_back(
        levels > 0 ? static_cast<double>(random() % static_cast<unsigned>(levels)) : real(random));
    query.scores.push_back(random() % 3 == 0 ? static_cast<double>(random() % 5) - 2
                                             : real(random));
    if (weighted) query.weights.push_back(static_cast<double>(random() % 4) * 0.5);
  }
  std::vector<double> distinct(query.grades);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const double grade : query.grades) {
    query.ranks.push_back(static_cast<std::uint32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), grade) - distinct.begin()));
  }
  query.num_grades = static_cast<std::uint32_t>(distinct.size());
  query.sort();
  return query;
}

}  // namespace rankine::oracles
