// Scaling of features: fitted on training data, kept with the model, applied to all data alike.
// docs/scaling.md gives the formulas and says what happens to sparse data.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/missing.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

enum class Scaling { none, standard, minmax, query_minmax, quantile, log };
template <>
struct EnumNames<Scaling> {
  static constexpr std::array<std::string_view, 6> names{"none",         "standard", "minmax",
                                                         "query_minmax", "quantile", "log"};
};

/// A fitted scaling, complete, kept with the model. A vector that the kind uses has one entry per
/// column c:
///   standard, minmax   (x - shift[c]) * factor[c]
///   quantile           F_c(x) - shift[c], where F_c is 0 below its first knot, 1 above its last,
///                      and linear between the points (knots[k], levels[k]),
///                      knot_offsets[c] <= k < knot_offsets[c + 1]
///   query_minmax       (x - min) / (max - min) over the documents of the query
///   log                sign(x) log(1 + |x|)
/// A column that is constant in the training data (factor 0, or no knots) becomes 0.
struct FeatureScaling {
  Scaling kind = Scaling::none;
  std::int64_t num_features = 0;
  /// 0 stays 0. So it does with none and log, and with all kinds fitted on sparse data: shifts are
  /// left out, which within a query moves every column by a constant.
  bool keeps_zeros = true;
  std::vector<double> shift;
  std::vector<double> factor;
  std::vector<std::int64_t> knot_offsets;
  std::vector<double> knots;   // rising within a column
  std::vector<double> levels;  // of the empirical distribution function, in [0, 1]
  /// What stands for a missing value, before it is scaled: the training data's mean. Empty: 0.
  std::vector<double> fill;

  Missing missing() const { return fill.empty() ? Missing::zero : Missing::mean; }

  bool operator==(const FeatureScaling&) const = default;
};

/// At most this many knots per column.
inline constexpr std::int64_t kMaxQuantileKnots = 1000;

/// Fits on all documents of `data`: there must be some, unless the kind needs none, and standard
/// needs finite values (else Error{data}). The result does not depend on `threads` (0: one per
/// core). One or two passes over the features; for quantile a sort of each column.
RANKINE_API FeatureScaling fit_scaling(const Dataset& data, Scaling kind, int threads = 0);

/// The data with scaled features, in scaling.num_features columns: those the data does not have
/// count as 0; if it has more, throws Error{data}. A value is computed in double and rounded once;
/// what is too large for float32 becomes the largest float32. Sparse data stays sparse when the
/// scaling keeps zeros, and becomes dense when it does not.
RANKINE_API Dataset apply_scaling(const Dataset& data, const FeatureScaling& scaling,
                                  int threads = 0);

/// The columns, from 0, that were constant in the training data, as far as the kind knows them
/// (standard, minmax, quantile).
RANKINE_API std::vector<std::int64_t> constant_columns(const FeatureScaling& scaling);

}  // namespace rankine
