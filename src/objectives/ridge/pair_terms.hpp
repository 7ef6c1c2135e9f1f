// penalty(w) + C * sum over pairs of weight * l(w . (x_i - x_j) + 1 - margin), term by term: one
// pair each. Pairs are drawn without being listed: O(log n) per draw, O(n) memory.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/options.hpp>

#include "compute/evaluator.hpp"
#include "compute/query_table.hpp"
#include "losses/pairs/pair_cost.hpp"
#include "objectives/column_scale.hpp"
#include "objectives/stochastic_objective.hpp"

namespace rankine {

class PairTerms final : public StochasticObjective {
 public:
  /// Keeps references. `evaluator` is of the same data and table, with the loss `options` ask for.
  PairTerms(const Dataset& data, const QueryTable& table, const PairLossOptions& options,
            const LossEvaluator& evaluator, double C, ColumnScale columns = {},
            Penalty penalty = {});

  /// The pair numbered `index` of 0 .. num_terms() - 1.
  struct Pair {
    std::size_t query = 0;  // in the table
    std::uint32_t winner = 0;
    std::uint32_t loser = 0;
    PairCost cost;  // document weights and the query's factor included
  };
  Pair pair(std::uint64_t index) const;

  std::int64_t size() const override { return data_.num_features(); }
  const Penalty& penalty() const override { return penalty_; }
  double num_terms() const override { return static_cast<double>(first_pairs_.back()); }
  /// From a bound of each query's largest distance between documents.
  double largest_curvature() const override;
  void add_slope(const Random& random, std::uint64_t draw, std::span<const double> direction,
                 double scale, std::span<const Target> targets) const override;
  Assessment assess(std::span<const double> weights) const override;

 private:
  double largest_distance(const QueryTable::Query& query) const;
  double largest_weight(std::size_t query) const;

  /// The documents of one grade that are winners over all of the lower grades.
  struct Winners {
    std::uint64_t first_pair;  // within the query
    std::uint32_t first;       // in by_grade_: the documents of this grade begin here
    std::uint32_t num_losers;  // all before `first`
  };

  const Dataset& data_;
  const QueryTable& table_;
  PairLossOptions options_;
  const LossEvaluator& evaluator_;
  double C_;
  ColumnScale columns_;
  Penalty penalty_;
  std::vector<std::uint64_t> first_pairs_;  // by query of the table, and the total
  std::vector<PairCosts> costs_;            // by query of the table
  std::vector<std::uint32_t> by_grade_;     // by row: the query's documents by rising grade
  std::vector<Winners> winners_;
  std::vector<std::size_t> first_winners_;  // by query of the table, and the end
};

}  // namespace rankine
