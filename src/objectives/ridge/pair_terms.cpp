// Drawing one of all pairs uniformly, without a list. Pairs are numbered query by query, within a
// query by the winner's grade, within a grade winner by winner. A binary search finds the query,
// another the grade, and a division the winner and loser. A slope needs two rows.
#include "objectives/ridge/pair_terms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "compute/query_rows.hpp"
#include "losses/scalar_loss.hpp"
#include "objectives/ridge/query_terms.hpp"
#include "objectives/ridge/scaled_rows.hpp"

namespace rankine {

PairTerms::PairTerms(const Dataset& data, const QueryTable& table, const PairLossOptions& options,
                     const LossEvaluator& evaluator, double C, ColumnScale columns, Penalty penalty)
    : data_(data),
      table_(table),
      options_(options),
      evaluator_(evaluator),
      C_(C),
      columns_(std::move(columns)),
      penalty_(std::move(penalty)) {
  if (!table.has_listed_pairs()) by_grade_.resize(data.grades.size());
  first_pairs_.push_back(0);
  first_winners_.push_back(0);
  std::vector<std::uint32_t> counts;
  for (const QueryTable::Query& query : table.queries()) {
    const QueryDocuments documents = table.documents(query);
    costs_.emplace_back(options.pair_weight, options.rescaling);
    costs_.back().assign(documents);
    first_pairs_.push_back(first_pairs_.back() + static_cast<std::uint64_t>(query.num_pairs));
    if (table.has_listed_pairs()) continue;
    counts.assign(documents.num_grades + std::size_t{1}, 0);
    for (std::size_t doc = 0; doc < documents.size(); ++doc) {
      ++counts[documents.grade_ranks[doc] + std::size_t{1}];
    }
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    std::uint64_t pairs = 0;
    for (std::size_t rank = 1; rank < documents.num_grades; ++rank) {
      winners_.push_back({pairs, counts[rank], counts[rank]});
      pairs += std::uint64_t{counts[rank]} * (counts[rank + 1] - counts[rank]);
    }
    first_winners_.push_back(winners_.size());
    for (std::uint32_t doc = 0; doc < documents.size(); ++doc) {
      const std::uint32_t place = counts[documents.grade_ranks[doc]]++;
      by_grade_[static_cast<std::size_t>(query.first) + place] = doc;
    }
  }
}

PairTerms::Pair PairTerms::pair(std::uint64_t index) const {
  const auto q = static_cast<std::size_t>(
      std::upper_bound(first_pairs_.begin(), first_pairs_.end(), index) - first_pairs_.begin() - 1);
  const std::uint64_t here = index - first_pairs_[q];
  const QueryTable::Query& query = table_.queries()[q];
  const QueryDocuments documents = table_.documents(query);
  Pair pair{q, 0, 0, {}};
  if (!documents.pairs.empty()) {
    const ListedPair& listed = documents.pairs[here];
    pair.winner = listed.winner;
    pair.loser = listed.loser;
    pair.cost = costs_[q].of(listed);
  } else {
    const auto begin = winners_.begin() + static_cast<std::ptrdiff_t>(first_winners_[q]);
    const auto end = winners_.begin() + static_cast<std::ptrdiff_t>(first_winners_[q + 1]);
    const Winners& grade = *(std::upper_bound(begin, end, here,
                                              [](std::uint64_t wanted, const Winners& each) {
                                                return wanted < each.first_pair;
                                              }) -
                             1);
    const auto first = static_cast<std::size_t>(query.first);
    const std::uint64_t rest = here - grade.first_pair;
    pair.winner = by_grade_[first + grade.first + rest / grade.num_losers];
    pair.loser = by_grade_[first + rest % grade.num_losers];
    pair.cost = costs_[q].of(documents, pair.winner, pair.loser);
  }
  pair.cost.weight *= query.factor;
  if (!documents.weights.empty()) {
    pair.cost.weight *= documents.weights[pair.winner] * documents.weights[pair.loser];
  }
  return pair;
}

void PairTerms::add_slope(const Random& random, std::uint64_t draw,
                          std::span<const double> direction, double scale,
                          std::span<const Target> targets) const {
  const Pair chosen = pair(random.below(draw, first_pairs_.back()));
  const std::int64_t first = table_.queries()[chosen.query].first;
  const ScaledRows winner(data_.features, first + chosen.winner, columns_);
  const ScaledRows loser(data_.features, first + chosen.loser, columns_);
  std::array<double, 1> high{};
  std::array<double, 1> low{};
  winner.products(direction, high);
  loser.products(direction, low);
  const double t = scale * (high[0] - low[0]) + 1 - chosen.cost.margin;
  const double slope = C_ * chosen.cost.weight * scalar_loss(options_.loss, t).slope;
  if (slope == 0) return;
  for (const Target& target : targets) {
    winner.add_weighted(std::array{target.factor * slope}, target.out);
    loser.add_weighted(std::array{-target.factor * slope}, target.out);
  }
}

/// Squared. Of dense rows about their mean, of sparse ones about 0: no pair is further apart than
/// twice the largest radius.
double PairTerms::largest_distance(const QueryTable::Query& query) const {
  double radius = 0;
  if (const auto* dense = std::get_if<DenseMatrix>(&data_.features)) {
    std::vector<double> mean(static_cast<std::size_t>(dense->num_columns));
    const std::vector<double> shares(static_cast<std::size_t>(query.size),
                                     1 / static_cast<double>(query.size));
    QueryRows(data_.features, query.first).add_weighted(shares, mean);
    for (std::int64_t row = query.first; row < query.first + query.size; ++row) {
      const auto values = dense->row(row);
      double sum = 0;
      for (std::size_t k = 0; k < mean.size(); ++k) {
        const double from_mean = columns_.factor(k) * (static_cast<double>(values[k]) - mean[k]);
        sum += from_mean * from_mean;
      }
      radius = std::max(radius, sum);
    }
    return 4 * radius;
  }
  const auto& sparse = std::get<CsrMatrix>(data_.features);
  for (std::int64_t row = query.first; row < query.first + query.size; ++row) {
    double sum = 0;
    for (std::int64_t k = sparse.offsets[static_cast<std::size_t>(row)];
         k < sparse.offsets[static_cast<std::size_t>(row) + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const double value =
          columns_.factor(sparse.columns[entry]) * static_cast<double>(sparse.values[entry]);
      sum += value * value;
    }
    radius = std::max(radius, sum);
  }
  return 4 * radius;
}

double PairTerms::largest_weight(std::size_t query) const {
  const QueryDocuments documents = table_.documents(table_.queries()[query]);
  double largest = 0;
  if (!documents.pairs.empty()) {
    for (const ListedPair& listed : documents.pairs) {
      largest = std::max(largest, costs_[query].of(listed).weight);
    }
  } else {
    // Of all pairs, the best grade over the worst costs most.
    const auto first = static_cast<std::size_t>(table_.queries()[query].first);
    largest = costs_[query]
                  .of(documents, by_grade_[first + documents.size() - 1], by_grade_[first])
                  .weight;
  }
  if (documents.weights.empty()) return largest;
  const double most = *std::max_element(documents.weights.begin(), documents.weights.end());
  return largest * most * most;
}

double PairTerms::largest_curvature() const {
  double largest = 0;
  for (std::size_t q = 0; q < table_.queries().size(); ++q) {
    const QueryTable::Query& query = table_.queries()[q];
    largest = std::max(largest, query.factor * largest_weight(q) * largest_distance(query));
  }
  return C_ * rankine::largest_curvature(options_.loss) * largest;
}

StochasticObjective::Assessment PairTerms::assess(std::span<const double> weights) const {
  return assess_ranking(evaluator_, C_, weights, columns_, penalty_);
}

}  // namespace rankine
