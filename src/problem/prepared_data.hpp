// What a solver is given: the features asked for, scaled, and mapped where a kernel is
// approximated. Scalings that are a shift and a factor are folded into linear objectives
// (objectives/column_scale) instead of copied: the shift adds the same to every score of a query,
// which no pair notices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>
#include <rankine/scaling.hpp>
#include <rankine/train.hpp>

#include "compute/query_rows.hpp"
#include "features/feature_map.hpp"
#include "objectives/column_scale.hpp"
#include "problem/training_cache.hpp"

namespace rankine {

/// Bytes that matrices of a training with these options may take.
double allowed_memory(const TrainOptions& options);

/// Of the landmarks' kernel, its factor and the matrices of a preconditioner, by their size
/// squared.
constexpr double kBytesOfSystems = 40;

/// Whether these options ask for a kernel between all documents, with nothing in its place.
bool is_exact_kernel(const FeatureMapOptions& map);

/// In GB with one decimal, or below 1 GB in MB.
std::string memory_text(double bytes);

class PreparedData {
 public:
  /// `folds_scale`: the objective can take a ColumnScale. Keeps a reference to `input`. Fills
  /// seconds, constant columns, map and warnings of `report`. `kept`: what trainings on `input`
  /// share, or null; must outlive this.
  PreparedData(const Dataset& input, const TrainOptions& options, bool folds_scale,
               TrainReport& report, TrainingCache* kept = nullptr);

  /// What the objective sees. With an exact kernel, or mapped rows that are not kept, its features
  /// are the rows before the map.
  const Dataset& seen() const { return seen_; }
  FeatureRows rows() const {
    return maker_ != nullptr ? FeatureRows(*maker_) : FeatureRows(seen_.features);
  }
  bool rows_are_kept() const { return maker_ == nullptr; }
  const FeatureScaling& scaling() const { return scaling_; }
  const ColumnScale& column_scale() const { return columns_; }
  bool has_exact_kernel() const { return exact_; }
  const KernelSpec& kernel() const { return kernel_; }
  /// Bytes that matrices of this training may take.
  double memory() const { return memory_; }
  /// What is shared with other trainings, and the rows before the map among it; null: nothing.
  TrainingCache* kept() const { return kept_; }
  KernelProductCache* kernel_product_cache() const {
    return shared_ == nullptr ? nullptr : shared_->rows.get();
  }

  /// The model's function for weights of seen()'s columns, or with an exact kernel for coefficients
  /// of its documents `rows`.
  ScoringFunction function(std::vector<double> weights) const;
  ScoringFunction function(std::span<const double> coefficients,
                           std::span<const std::int64_t> rows) const;
  const std::vector<std::int64_t>& selected() const { return selected_; }

 private:
  void select_and_scale(const TrainOptions& options, bool folds_scale);
  void select(const TrainOptions& options);
  void select_named(const TrainOptions& options);
  void leave_out_constant_columns();
  void scale(const TrainOptions& options, bool folds_scale);
  void find_constant_columns();
  void map(const TrainOptions& options, TrainReport& report);
  /// A function of columns in the order of documents becomes one of the input's columns.
  LinearFunction in_input_order(std::vector<double> weights) const;

  const Dataset& input_;
  Dataset seen_;
  std::vector<std::int64_t> selected_;
  std::vector<std::size_t> constant_;   // columns of seen_
  std::vector<std::int64_t> left_out_;  // columns of the input: constant ones before a map
  FeatureScaling scaling_;
  ColumnScale columns_;
  bool exact_ = false;
  bool precomputed_ = false;
  KernelSpec kernel_;
  bool ignores_shifts_ = true;
  double memory_ = 0;
  TrainingCache* kept_;
  std::shared_ptr<const TrainingCache::Scaled> shared_;
  FeatureMatrix unmapped_;
  std::unique_ptr<FeatureMap> map_;
  std::unique_ptr<MappedRows> maker_;
};

}  // namespace rankine
