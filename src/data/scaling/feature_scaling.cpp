// Everything is computed in double and rounded to float once, at the end. In double neither the
// difference of two floats nor its square overflows; only the last step can, and saturates.
#include "data/scaling/feature_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <rankine/error.hpp>

#include "base/contract.hpp"

namespace rankine {
namespace {

float rounded(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::min(std::max(value, -kLargest), kLargest));
}

bool is_constant(const FeatureScaling& scaling, std::size_t column) {
  switch (scaling.kind) {
    case Scaling::standard:
    case Scaling::minmax:
      return scaling.factor[column] == 0;
    case Scaling::quantile:
      return scaling.knot_offsets[column] == scaling.knot_offsets[column + 1];
    default:
      return false;
  }
}

double signed_log(double x) {
  return std::copysign(std::log1p(std::abs(x)), x);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool has_good_knots(const FeatureScaling& scaling) {
  const auto& offsets = scaling.knot_offsets;
  if (offsets.size() != static_cast<std::size_t>(scaling.num_features) + 1) return false;
  if (scaling.levels.size() != scaling.knots.size()) return false;
  if (offsets.front() != 0 || offsets.back() != std::ssize(scaling.knots)) return false;
  if (!std::is_sorted(offsets.begin(), offsets.end())) return false;
  for (std::size_t column = 0; column + 1 < offsets.size(); ++column) {
    for (std::int64_t k = offsets[column] + 1; k < offsets[column + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (!(scaling.knots[at - 1] < scaling.knots[at])) return false;
      if (!(scaling.levels[at - 1] <= scaling.levels[at])) return false;
    }
  }
  return std::all_of(scaling.levels.begin(), scaling.levels.end(),
                     [](double level) { return level >= 0 && level <= 1; });
}

}  // namespace

void check_scaling(const FeatureScaling& scaling, const std::string& source) {
  const bool is_known = scaling.kind >= Scaling::none && scaling.kind <= Scaling::log;
  const bool is_linear = scaling.kind == Scaling::standard || scaling.kind == Scaling::minmax;
  const bool is_quantile = scaling.kind == Scaling::quantile;
  const auto width = static_cast<std::size_t>(scaling.num_features);
  const bool good =
      is_known && scaling.num_features >= 0 &&
      scaling.shift.size() == (is_linear || is_quantile ? width : 0) &&
      scaling.factor.size() == (is_linear ? width : 0) && all_finite(scaling.shift) &&
      all_finite(scaling.factor) && all_finite(scaling.knots) &&
      (!is_quantile || has_good_knots(scaling)) &&
      (scaling.fill.empty() || scaling.fill.size() == width) && all_finite(scaling.fill) &&
      (scaling.keeps_zeros || (scaling.kind != Scaling::none && scaling.kind != Scaling::log));
  if (!good)
    throw Error(ErrorKind::data, source + ": the parts of the scaling do not fit together");
}

std::vector<std::int64_t> constant_columns(const FeatureScaling& scaling) {
  std::vector<std::int64_t> columns;
  for (std::int64_t column = 0; column < scaling.num_features; ++column) {
    if (is_constant(scaling, static_cast<std::size_t>(column))) columns.push_back(column);
  }
  return columns;
}

double distribution_at(const FeatureScaling& scaling, std::size_t column, double x) noexcept {
  const auto first = static_cast<std::size_t>(scaling.knot_offsets[column]);
  const auto last = static_cast<std::size_t>(scaling.knot_offsets[column + 1]);
  if (first == last || x < scaling.knots[first]) return 0;
  if (x > scaling.knots[last - 1]) return 1;
  const double* const knots = scaling.knots.data();
  std::size_t below = first;  // the last knot that is not above x; no branch depends on x
  for (std::size_t count = last - first; count > 1;) {
    const std::size_t half = count / 2;
    below += half * static_cast<std::size_t>(knots[below + half] <= x);
    count -= half;
  }
  if (below + 1 == last) return scaling.levels[below];
  const std::size_t above = below + 1;
  const double share = (x - knots[below]) / (knots[above] - knots[below]);
  return scaling.levels[below] + share * (scaling.levels[above] - scaling.levels[below]);
}

bool scales_rows_alone(const FeatureScaling& scaling) {
  return scaling.kind != Scaling::query_minmax;
}

void scale_rows(const FeatureScaling& scaling, std::span<float> rows) noexcept {
  RANKINE_ASSERT(scales_rows_alone(scaling));
  const auto width = static_cast<std::size_t>(scaling.num_features);
  RANKINE_ASSERT(width == 0 ? rows.empty() : rows.size() % width == 0);
  if (scaling.kind == Scaling::standard || scaling.kind == Scaling::minmax) {
    const double* const shift = scaling.shift.data();
    const double* const factor = scaling.factor.data();
    for (std::size_t row = 0; row < rows.size(); row += width) {
      float* const values = rows.data() + row;
      for (std::size_t column = 0; column < width; ++column) {
        values[column] = rounded((values[column] - shift[column]) * factor[column]);
      }
    }
  } else if (scaling.kind == Scaling::quantile) {
    // By column, so that its knots stay in the cache.
    for (std::size_t column = 0; column < width; ++column) {
      const double shift = scaling.shift[column];
      for (std::size_t k = column; k < rows.size(); k += width) {
        rows[k] = rounded(distribution_at(scaling, column, rows[k]) - shift);
      }
    }
  } else if (scaling.kind == Scaling::log) {
    for (float& value : rows) value = rounded(signed_log(value));
  }
}

void scale_rows(const FeatureScaling& scaling, std::span<const std::uint32_t> columns,
                std::span<float> values) noexcept {
  RANKINE_ASSERT(scaling.keeps_zeros && scales_rows_alone(scaling));
  if (scaling.kind == Scaling::standard || scaling.kind == Scaling::minmax) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = rounded((values[k] - scaling.shift[columns[k]]) * scaling.factor[columns[k]]);
    }
  } else if (scaling.kind == Scaling::quantile) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] =
          rounded(distribution_at(scaling, columns[k], values[k]) - scaling.shift[columns[k]]);
    }
  } else if (scaling.kind == Scaling::log) {
    for (float& value : values) value = rounded(signed_log(value));
  }
}

QueryRanges::QueryRanges(std::int64_t num_features)
    : least_(static_cast<std::size_t>(num_features)),
      largest_(static_cast<std::size_t>(num_features)),
      count_(static_cast<std::size_t>(num_features)) {}

void QueryRanges::scale(std::span<float> rows, bool keeps_zeros) {
  const std::size_t width = least_.size();
  if (rows.empty()) return;
  std::copy_n(rows.begin(), width, least_.begin());
  std::copy_n(rows.begin(), width, largest_.begin());
  for (std::size_t row = 0; row < rows.size(); row += width) {
    for (std::size_t column = 0; column < width; ++column) {
      least_[column] = std::min(least_[column], rows[row + column]);
      largest_[column] = std::max(largest_[column], rows[row + column]);
    }
  }
  for (std::size_t row = 0; row < rows.size(); row += width) {
    for (std::size_t column = 0; column < width; ++column) {
      const double range = double{largest_[column]} - least_[column];
      const double shift = keeps_zeros ? 0.0 : double{least_[column]};
      rows[row + column] = range > 0 ? rounded((rows[row + column] - shift) / range) : 0.0F;
    }
  }
}

void QueryRanges::scale(std::span<const std::uint32_t> columns, std::span<float> values,
                        std::int64_t num_documents) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t column = columns[k];
    if (count_[column]++ == 0) {
      least_[column] = largest_[column] = values[k];
    } else {
      least_[column] = std::min(least_[column], values[k]);
      largest_[column] = std::max(largest_[column], values[k]);
    }
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t column = columns[k];
    const bool has_zero = count_[column] < num_documents;
    const double least = has_zero ? std::min(least_[column], 0.0F) : least_[column];
    const double largest = has_zero ? std::max(largest_[column], 0.0F) : largest_[column];
    values[k] = largest > least ? rounded(values[k] / (largest - least)) : 0.0F;
  }
  for (const std::uint32_t column : columns) count_[column] = 0;
}

}  // namespace rankine
