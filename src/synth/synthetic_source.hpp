// The random process behind synthetic data: any row of any query from the options alone.
//
// A feature of a document is a function of a normal variable that adds up a shift of the query, a
// factor the feature shares with others of its group, and a part of its own:
//   z = (query_effect v[query, group] + sqrt(correlation) f[document, group]
//        + sqrt(1 - correlation) e[document, feature]) / sqrt(1 + query_effect^2),
// squashed into (0, 1) for three features in four and e^z, heavy-tailed, for the others, then
// rounded to six decimals. The true score is a function of the rounded values: linear, or an RBF
// expansion; its mean is 0 and its standard deviation within a query 1. The grade is
//   true score + query_effect b[query] + noise n[document],
// as it is or cut into levels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/synth.hpp>

namespace rankine {

/// What all documents of a query share.
struct SyntheticQuery {
  std::int64_t number = 0;    // from 0
  std::vector<double> shift;  // of the features, by group
  double offset = 0;          // of the grades
};

/// One document. Reused from row to row by its owner.
struct SyntheticRow {
  std::vector<std::uint32_t> columns;     // rising, from 0
  std::vector<std::uint64_t> millionths;  // the values at these columns, in units of 10^-6
  double true_score = 0;
  double grade = 0;
};

class SyntheticSource {
 public:
  /// Requires: valid options. Draws the truth and looks at a sample of rows to know its mean and
  /// spread and where to cut the grades: O(features + a few thousand rows).
  explicit SyntheticSource(const SynthOptions& options);

  /// Number of documents of a query, at least 1. Queries count from 0.
  std::int64_t query_length(std::int64_t query) const;
  /// Number of documents of all queries.
  std::int64_t num_rows() const;
  SyntheticQuery query(std::int64_t number) const;
  /// Makes the query's document number `document`, from 0, in O(values in the row).
  void make_row(const SyntheticQuery& query, std::int64_t document, SyntheticRow& row) const;

  const SynthOptions& options() const { return options_; }
  bool is_dense() const { return options_.density == 1; }
  /// Expected number of values in a row.
  double row_size() const { return options_.density * static_cast<double>(options_.features); }

 private:
  void draw_columns();
  void draw_centres();
  void calibrate();
  void cut_grades(std::vector<double> sample);
  void draw_features(const SyntheticQuery& query, std::int64_t document, SyntheticRow& row) const;
  void draw_sparse_features(const SyntheticQuery& query, std::int64_t document,
                            std::span<const double> group_parts, SyntheticRow& row) const;
  std::uint64_t feature_value(std::uint32_t column, std::uint32_t bits,
                              std::span<const double> group_parts) const;
  void project(const SyntheticRow& row, std::span<double> out) const;
  double raw_score(std::span<const double> projections) const;
  double noisy_score(const SyntheticQuery& query, std::int64_t document, double true_score) const;

  SynthOptions options_;
  std::uint32_t num_groups_ = 1;
  std::uint32_t num_projections_ = 1;
  double query_part_ = 0;  // of z, by variable
  double shared_part_ = 0;
  double own_part_ = 1;
  double log_absent_ = 0;                   // log(1 - density)
  std::vector<std::uint8_t> column_kinds_;  // group, plus kHeavyTail
  std::vector<double> weights_;             // num_projections_ for each column
  std::vector<double> centres_;             // num_projections_ for each centre
  std::vector<double> amplitudes_;          // by centre
  std::vector<double> projection_means_;
  std::vector<double> projection_scales_;  // 1 / standard deviation
  double score_mean_ = 0;
  double score_scale_ = 1;
  std::vector<double> thresholds_;  // thresholds_[g]: the least noisy score of grade g + 1
};

}  // namespace rankine
