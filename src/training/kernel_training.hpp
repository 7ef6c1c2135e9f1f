// Training with an exact kernel: the matrix, its preconditioner and the solver put together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rankine/loss.hpp>
#include <rankine/train.hpp>

#include "compute/cpu/kernel_matrix.hpp"
#include "compute/cpu/score_sweep.hpp"
#include "compute/query_table.hpp"
#include "objectives/kernel_objective.hpp"
#include "solvers/newton.hpp"
#include "training/prepared_data.hpp"

namespace rankine {

class KernelTraining {
 public:
  /// Keeps references. Fills `report.map`. Cost: n^2 / 2 kernel values where they are kept.
  KernelTraining(const PreparedData& data, const QueryTable& table, const QueryLoss& loss,
                 const TrainOptions& options, TrainReport& report);

  std::size_t size() const { return sweep_.num_documents(); }
  /// The documents that have coefficients, by row.
  std::span<const std::int64_t> rows() const { return sweep_.rows(); }
  SolveResult minimise(double C, std::span<const double> start, const NewtonOptions& options,
                       const StopRequest& stop) const;

 private:
  void make_features(const PreparedData& data, const QueryTable& table, const QueryLoss& loss,
                     const TrainOptions& options);

  // A kernel value is computed to so much. Errors that are independent move the objective at
  // coefficients b by about this times |b|^2: it is part of the gap.
  double rounding_ = 0;
  ScoreSweep sweep_;
  FeatureMatrix documents_;                   // those with pairs
  std::shared_ptr<KernelProductCache> kept_;  // what other trainings know of them, or null
  std::unique_ptr<const KernelMatrix> kernel_;
  std::unique_ptr<KernelFeatures> features_;
  std::unique_ptr<KernelObjective> objective_;
};

}  // namespace rankine
