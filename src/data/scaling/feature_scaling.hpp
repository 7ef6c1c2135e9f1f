// A fitted scaling applied to rows, one at a time or a query at a time: what apply_scaling does to
// a data set, for those who stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/scaling.hpp>

#include "base/collective.hpp"

namespace rankine {

/// fit_scaling() on the documents of all processes, of which `data` has this one's; all call it and
/// get the same scaling.
FeatureScaling fit_scaling(const Dataset& data, Scaling kind, int threads, Collective& collective);

/// Throws Error{data}, naming `source`, when the parts of the scaling do not fit together. Below,
/// scalings are trusted.
void check_scaling(const FeatureScaling& scaling, const std::string& source);

/// F_c(x) of a quantile scaling; 0 for a constant column.
double distribution_at(const FeatureScaling& scaling, std::size_t column, double x) noexcept;

/// Whether a row can be scaled without the others of its query.
bool scales_rows_alone(const FeatureScaling& scaling);

/// Scales dense rows of num_features values, one after the other, in place. Requires:
/// scales_rows_alone. Some dozens of rows at a time are faster than one.
void scale_rows(const FeatureScaling& scaling, std::span<float> rows) noexcept;
/// Scales the stored values of sparse rows in place. Requires: scales_rows_alone, keeps_zeros.
void scale_rows(const FeatureScaling& scaling, std::span<const std::uint32_t> columns,
                std::span<float> values) noexcept;

/// Least and largest value of a column within a query. One object serves query after query.
class QueryRanges {
 public:
  explicit QueryRanges(std::int64_t num_features);

  /// Scales the documents of one query, dense rows of num_features values one after the other, by
  /// query_minmax in place.
  void scale(std::span<float> rows, bool keeps_zeros);
  /// The same for the stored values of `num_documents` sparse rows; keeps zeros.
  void scale(std::span<const std::uint32_t> columns, std::span<float> values,
             std::int64_t num_documents);

 private:
  std::vector<float> least_;
  std::vector<float> largest_;
  std::vector<std::int64_t> count_;  // sparse: values stored; 0 between calls
};

}  // namespace rankine
