// A data set made ready for a method: features selected, scaled and mapped, queries counted, and a
// loss over them. What a method solves is an evaluator of its loss over this data plus a penalty.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>
#include <rankine/options.hpp>
#include <rankine/train.hpp>

#include "compute/backend.hpp"
#include "compute/query_table.hpp"
#include "losses/pairs/pair_graph.hpp"
#include "problem/prepared_data.hpp"
#include "problem/training_cache.hpp"

namespace rankine {

/// What a method asks of the data before it can solve.
struct Needs {
  /// Which pairs its loss is over, and what a query's loss is divided by.
  PairGraph graph = PairGraph::different_grades;
  Normalisation normalisation = Normalisation::none;
  /// Whether its loss stays the same when all scores are shifted by one number. Then a scaling that
  /// is a shift and a factor need not be applied to a copy of the rows.
  bool ignores_shifts = true;
};

/// What a loss over pairs asks for: the user's own, or one of the options.
Needs pairwise_needs(const TrainOptions& options, Normalisation normalisation);

/// Refuses options of pair losses beside a loss of the user's own, which would ignore them.
/// Throws Error{option}.
void check_own_loss(const TrainOptions& options, const PairLossOptions& pair_loss);

class Problem {
 public:
  /// Keeps references. Fills seconds, constant columns, map and warnings of `report`. Throws
  /// Error{data} where there is nothing to learn from, Error{option} for a device there is not.
  Problem(const Dataset& input, const TrainOptions& options, const Needs& needs,
          TrainReport& report, TrainingCache* cache);

  const Dataset& input() const { return input_; }
  const TrainOptions& options() const { return options_; }
  const PreparedData& data() const { return data_; }
  const QueryTable& table() const { return table_; }
  int threads() const { return options_.threads; }
  TrainReport& report() const { return report_; }
  /// Where the work is done.
  const Backend& backend() const { return backend_; }

  /// The loss of the user's own, or the one these options ask for. Requires: the problem's needs
  /// are pairwise_needs().
  std::shared_ptr<const QueryLoss> pair_loss(const PairLossOptions& options) const;

  /// `loss` over the linear (or mapped) rows as a function of the weights. Keeps a reference to it.
  std::unique_ptr<LossEvaluator> evaluator(const QueryLoss& loss) const;

  /// Weights to start from: 0, or those of the warm start turned to this scaling. Throws
  /// Error{option} for a start that does not fit.
  std::vector<double> start_weights() const;

 private:
  const Dataset& input_;
  const TrainOptions& options_;
  TrainReport& report_;
  const Backend& backend_;
  PreparedData data_;
  QueryTable table_;
};

/// What `report` should warn of: "3 of 10 queries have no pairs and were left out", and missing
/// values.
void add_data_warnings(const TrainingData& data, std::int64_t num_used_queries,
                       std::int64_t num_missing, Missing missing, TrainReport& report);

}  // namespace rankine
