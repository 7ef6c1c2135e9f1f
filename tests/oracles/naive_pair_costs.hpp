// Pair weights and margins from their definitions, one pair at a time, and the losses that have
// them by listing all pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <rankine/loss.hpp>
#include <rankine/options.hpp>

#include "oracles/naive_pairs.hpp"

namespace rankine::oracles {

/// The mean of 1 / log2(1 + p) over the positions p that the document's grade has in the ideal
/// ranking.
inline double mean_discount(const QueryDocuments& query, std::size_t doc) {
  double above = 0;
  double equal = 0;
  for (const double grade : query.grades) {
    above += grade > query.grades[doc] ? 1 : 0;
    equal += grade == query.grades[doc] ? 1 : 0;
  }
  double sum = 0;
  for (double p = above + 1; p <= above + equal; ++p) sum += 1 / std::log2(1 + p);
  return sum / equal;
}

inline double dcg_delta(const QueryDocuments& query, std::size_t winner, std::size_t loser) {
  return (std::exp2(query.grades[winner]) - std::exp2(query.grades[loser])) *
         (mean_discount(query, winner) - mean_discount(query, loser));
}

inline KernelFormula kernel_formula(Loss loss) {
  switch (loss) {
    case Loss::squared_hinge:
      return {[](double t) { return std::pow(std::max(0.0, 1 - t), 2); },
              [](double t) { return -2 * std::max(0.0, 1 - t); },
              [](double t) { return t < 1 ? 2.0 : 0.0; }};
    case Loss::hinge:
      return {[](double t) { return std::max(0.0, 1 - t); },
              [](double t) { return t < 1 ? -1.0 : 0.0; }, [](double) { return 0.0; }};
    case Loss::huber:
      return {[](double t) { return t >= 1   ? 0
                                    : t >= 0 ? (1 - t) * (1 - t)
                                             : 1 - 2 * t; },
              [](double t) { return t >= 1   ? 0
                                    : t >= 0 ? -2 * (1 - t)
                                             : -2; },
              [](double t) { return t < 1 && t >= 0 ? 2.0 : 0.0; }};
    case Loss::squared:
      return {[](double t) { return (1 - t) * (1 - t); }, [](double t) { return -2 * (1 - t); },
              [](double) { return 2.0; }};
    case Loss::logistic:
      break;
  }
  return {[](double t) { return std::log1p(std::exp(-t)); },
          [](double t) { return -1 / (1 + std::exp(t)); },
          [](double t) { return 1 / (2 + std::exp(t) + std::exp(-t)); }};
}

/// Sums visit(winner, loser, factor of the loss, l(t + 1 - margin) and derivatives).
template <class Visit>
void for_each_costed_pair(const QueryDocuments& query, std::span<const double> scores,
                          const PairLossOptions& options, const Visit& visit) {
  const KernelFormula function = kernel_formula(options.loss);
  for_each_pair(query, [&](std::size_t i, std::size_t j, double weight) {
    double slack = 1;
    double margin = 1;
    const bool by_margin = options.rescaling == Rescaling::margin;
    if (options.pair_weight == PairWeight::grade_difference) {
      (by_margin ? margin : slack) = query.grades[i] - query.grades[j];
    } else if (options.pair_weight == PairWeight::dcg) {
      const double delta = dcg_delta(query, i, j);
      (by_margin ? margin : slack) = by_margin ? std::sqrt(delta) : delta;
    }
    const double t = scores[i] - scores[j] + 1 - margin;
    visit(i, j, weight * slack * function.value(t), weight * slack * function.slope(t),
          weight * slack * function.curvature(t));
  });
}

inline double naive_gradient(const QueryDocuments& query, std::span<const double> scores,
                             const PairLossOptions& options, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double total = 0;
  for_each_costed_pair(query, scores, options,
                       [&](std::size_t i, std::size_t j, double value, double slope, double) {
                         total += value;
                         out[i] += slope;
                         out[j] -= slope;
                       });
  return total;
}

inline void naive_hessian_times(const QueryDocuments& query, std::span<const double> scores,
                                const PairLossOptions& options, std::span<const double> direction,
                                std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_costed_pair(query, scores, options,
                       [&](std::size_t i, std::size_t j, double, double, double curvature) {
                         const double along = curvature * (direction[i] - direction[j]);
                         out[i] += along;
                         out[j] -= along;
                       });
}

}  // namespace rankine::oracles
