// One term per query. The step length of stochastic gradients needs the largest curvature of a
// term: a few power iterations with X^T H X find its largest eigenvalue for each query, started
// from the gradient at 0, which has most of its length along the steepest directions.
// Golub and Van Loan, "Matrix Computations", section 8.2.
#include "objectives/ridge/query_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compute/document_order.hpp"
#include "linalg/inner_product.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "objectives/ranking_objective.hpp"
#include "objectives/ridge/scaled_rows.hpp"

namespace rankine {

double QueryTerms::query_curvature(const QueryTable::Query& query, const QueryLoss& loss) const {
  const auto size = static_cast<std::size_t>(query.size);
  const QueryDocuments documents = table_.documents(query);
  const ScaledRows rows(data_.features, query.first, columns_);
  const std::vector<double> scores(size);
  std::vector<std::uint32_t> order(loss.needs_order() ? size : 0);
  order_documents(loss, documents, scores, order);
  // The gradient at 0 has most of its length along the steepest directions: a good start.
  std::vector<double> by_document(size);
  std::vector<double> along(size);
  loss.gradient(documents, {scores, order}, by_document);
  std::vector<double> direction(static_cast<std::size_t>(data_.num_features()));
  rows.add_weighted(by_document, direction);
  double curvature = 0;
  constexpr int kIterations = 5;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const double norm = std::sqrt(dot(direction, direction));
    if (!(norm > 0)) break;
    for (double& entry : direction) entry /= norm;
    rows.products(direction, along);
    loss.hessian_times(documents, {scores, order}, along, by_document);
    curvature = dot(along, by_document);
    std::fill(direction.begin(), direction.end(), 0.0);
    rows.add_weighted(by_document, direction);
  }
  return query.factor * curvature;
}

double QueryTerms::largest_curvature() const {
  const auto largest = [&](const QueryLoss& loss) {
    double most = 0;
    for (const QueryTable::Query& query : table_.queries()) {
      most = std::max(most, query_curvature(query, loss));
    }
    return most;
  };
  if (loss_.has_hessian()) {
    if (const double own = largest(loss_); own > 0) return C_ * own;
  }
  return 0.5 * C_ * largest(*make_pair_loss({}, data_));
}

void QueryTerms::add_slope(const Random& random, std::uint64_t draw,
                           std::span<const double> direction, double scale,
                           std::span<const Target> targets) const {
  const auto queries = table_.queries();
  const QueryTable::Query& query = queries[random.below(draw, queries.size())];
  const auto size = static_cast<std::size_t>(query.size);
  const QueryDocuments documents = table_.documents(query);
  const ScaledRows rows(data_.features, query.first, columns_);
  thread_local std::vector<double> scores;
  thread_local std::vector<double> by_document;
  thread_local std::vector<double> factors;
  thread_local std::vector<std::uint32_t> order;
  scores.resize(size);
  by_document.resize(size);
  order.resize(loss_.needs_order() ? size : 0);
  rows.products(direction, scores);
  for (double& score : scores) score *= scale;
  order_documents(loss_, documents, scores, order);
  loss_.gradient(documents, {scores, order}, by_document);
  for (const Target& target : targets) {
    const double factor = target.factor * C_ * query.factor;
    factors.resize(size);
    for (std::size_t doc = 0; doc < size; ++doc) factors[doc] = factor * by_document[doc];
    rows.add_weighted(factors, target.out);
  }
}

StochasticObjective::Assessment QueryTerms::assess(std::span<const double> weights) const {
  return assess_ranking(evaluator_, C_, weights, columns_, penalty_);
}

StochasticObjective::Assessment assess_ranking(const LossEvaluator& evaluator, double C,
                                               std::span<const double> weights,
                                               const ColumnScale& columns, const Penalty& penalty) {
  const RankingObjective objective(evaluator, C, columns, penalty);
  const auto point = objective.at_for_hessian(weights);
  return {point->value, penalty.gap(point->gradient)};
}

}  // namespace rankine
