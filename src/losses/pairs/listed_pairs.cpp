// Every pair is visited: of each grade above the lowest, every document with every document of a
// lower grade, or the pairs that are listed. Documents are first sorted by grade (counting sort),
// so finding the pairs needs no search.
#include "losses/pairs/listed_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/contract.hpp"
#include "losses/pairs/pair_cost.hpp"

namespace rankine {
namespace {

/// Documents by rising grade, and where each grade's begin: pairs cost no search.
struct ByGrade {
  std::vector<std::uint32_t> documents;
  std::vector<std::size_t> starts;

  void assign(const QueryDocuments& query) {
    starts.assign(query.num_grades + std::size_t{1}, 0);
    for (std::size_t doc = 0; doc < query.size(); ++doc) {
      ++starts[query.grade_ranks[doc] + std::size_t{1}];
    }
    for (std::size_t rank = 1; rank < starts.size(); ++rank) starts[rank] += starts[rank - 1];
    std::vector<std::size_t> next(starts);
    documents.resize(query.size());
    for (std::uint32_t doc = 0; doc < query.size(); ++doc) {
      documents[next[query.grade_ranks[doc]]++] = doc;
    }
  }
};

}  // namespace

std::unique_ptr<QueryLoss> ListedPairs::in_form(Form form, double width) const {
  RANKINE_ASSERT(loss_ == Loss::hinge && width > 0);
  auto copy = std::make_unique<ListedPairs>(*this);
  copy->form_ = form;
  copy->width_ = width;
  return copy;
}

std::unique_ptr<QueryLoss> ListedPairs::smoothed(double width) const {
  return in_form(Form::smoothed, width);
}

std::unique_ptr<QueryLoss> ListedPairs::supporting(double width) const {
  return in_form(Form::supporting, width);
}

ScalarLossValue ListedPairs::of_pair(double t) const {
  if (form_ == Form::plain) return scalar_loss(loss_, t);
  ScalarLossValue loss = smoothed_hinge(t, width_);
  if (form_ == Form::supporting) loss.value = -loss.slope * (1 - t);
  return loss;
}

/// visit(winner, loser, weight, margin) for every pair.
template <class Visit>
void ListedPairs::for_each_pair(const QueryDocuments& query, const Visit& visit) const {
  PairCosts costs(weight_, rescaling_);
  const auto weight_of = [&](std::uint32_t winner, std::uint32_t loser) {
    return query.weights.empty() ? 1.0 : query.weights[winner] * query.weights[loser];
  };
  if (!query.pairs.empty()) {
    for (const ListedPair& pair : query.pairs) {
      const PairCost cost = costs.of(pair);
      visit(pair.winner, pair.loser, cost.weight * weight_of(pair.winner, pair.loser), cost.margin);
    }
    return;
  }
  thread_local ByGrade by_grade;
  by_grade.assign(query);
  costs.assign(query);
  for (const std::uint32_t winner : by_grade.documents) {
    const std::size_t losers = by_grade.starts[query.grade_ranks[winner]];
    for (std::size_t k = 0; k < losers; ++k) {
      const std::uint32_t loser = by_grade.documents[k];
      const PairCost cost = costs.of(query, winner, loser);
      visit(winner, loser, cost.weight * weight_of(winner, loser), cost.margin);
    }
  }
}

double ListedPairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                             std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  double total = 0;
  for_each_pair(query,
                [&](std::uint32_t winner, std::uint32_t loser, double weight, double margin) {
                  const double t = point.scores[winner] - point.scores[loser];
                  const ScalarLossValue loss = of_pair(t + 1 - margin);
                  total += weight * loss.value;
                  out[winner] += weight * loss.slope;
                  out[loser] -= weight * loss.slope;
                });
  return total;
}

void ListedPairs::hessian_times(const QueryDocuments& query, const QueryPoint& point,
                                std::span<const double> direction, std::span<double> out) const {
  RANKINE_ASSERT(has_hessian());
  std::fill(out.begin(), out.end(), 0.0);
  for_each_pair(
      query, [&](std::uint32_t winner, std::uint32_t loser, double weight, double margin) {
        const double t = point.scores[winner] - point.scores[loser];
        const double along =
            weight * of_pair(t + 1 - margin).curvature * (direction[winner] - direction[loser]);
        out[winner] += along;
        out[loser] -= along;
      });
}

}  // namespace rankine
