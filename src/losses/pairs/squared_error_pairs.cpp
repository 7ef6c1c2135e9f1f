// L v for the Laplacian of all pairs is u_i (W v_i - sum of u v): two weighted sums. Pairs of
// different grades subtract the same thing within each grade. Sums are of differences from the
// first entry, so that what is common to all scores does not cost digits.
// Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient algorithm for learning to
// rank from preference graphs", 2009.
#include "losses/pairs/squared_error_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rankine {
namespace {

double weight_of(const QueryDocuments& query, std::size_t doc) {
  return query.weights.empty() ? 1.0 : query.weights[doc];
}

}  // namespace

void SquaredErrorPairs::laplacian_times(const QueryDocuments& query, std::span<const double> vector,
                                        std::span<double> out) const {
  const std::size_t size = query.size();
  if (are_listed(query)) {
    std::fill(out.begin(), out.end(), 0.0);
    for (const ListedPair& pair : query.pairs) {
      const double flow = pair.weight * weight_of(query, pair.winner) *
                          weight_of(query, pair.loser) * (vector[pair.winner] - vector[pair.loser]);
      out[pair.winner] += flow;
      out[pair.loser] -= flow;
    }
    return;
  }
  if (graph_ == PairGraph::none) {
    for (std::size_t doc = 0; doc < size; ++doc) out[doc] = weight_of(query, doc) * vector[doc];
    return;
  }
  // Sums of weights and of weighted differences from the first entry, which lose fewer digits.
  const bool by_grade = graph_ == PairGraph::different_grades;
  thread_local std::vector<double> weights;
  thread_local std::vector<double> sums;
  weights.assign(by_grade ? query.num_grades : 1, 0.0);
  sums.assign(weights.size(), 0.0);
  const double origin = size > 0 ? vector[0] : 0;
  const auto group = [&](std::size_t doc) { return by_grade ? query.grade_ranks[doc] : 0U; };
  for (std::size_t doc = 0; doc < size; ++doc) {
    const double weight = weight_of(query, doc);
    weights[group(doc)] += weight;
    sums[group(doc)] += weight * (vector[doc] - origin);
  }
  double weight_of_all = 0;
  double sum_of_all = 0;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    weight_of_all += weights[g];
    sum_of_all += sums[g];
  }
  for (std::size_t doc = 0; doc < size; ++doc) {
    double partners = weight_of_all;
    double sum = sum_of_all;
    if (by_grade) {
      partners -= weights[group(doc)];
      sum -= sums[group(doc)];
    }
    out[doc] = weight_of(query, doc) * (partners * (vector[doc] - origin) - sum);
  }
}

double SquaredErrorPairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                                   std::span<double> out) const {
  const std::size_t size = query.size();
  double value = 0;
  if (are_listed(query)) {
    std::fill(out.begin(), out.end(), 0.0);
    for (const ListedPair& pair : query.pairs) {
      const double weight =
          pair.weight * weight_of(query, pair.winner) * weight_of(query, pair.loser);
      const double error = pair.magnitude - (point.scores[pair.winner] - point.scores[pair.loser]);
      value += weight * error * error;
      out[pair.winner] -= 2 * weight * error;
      out[pair.loser] += 2 * weight * error;
    }
    return value;
  }
  thread_local std::vector<double> errors;
  errors.resize(size);
  for (std::size_t doc = 0; doc < size; ++doc) errors[doc] = query.grades[doc] - point.scores[doc];
  laplacian_times(query, errors, out);
  for (std::size_t doc = 0; doc < size; ++doc) {
    value += errors[doc] * out[doc];
    out[doc] *= -2;
  }
  return value;
}

void SquaredErrorPairs::hessian_times(const QueryDocuments& query, const QueryPoint&,
                                      std::span<const double> direction,
                                      std::span<double> out) const {
  laplacian_times(query, direction, out);
  for (double& value : out) value *= 2;
}

}  // namespace rankine
