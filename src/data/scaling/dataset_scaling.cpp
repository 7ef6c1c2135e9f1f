// Scaling of whole data sets. Sparse data keeps its structure, which is shared with the original,
// where the scaling keeps zeros; all else goes through dense rows, some copied into their places at
// a time and scaled there while they are in the cache.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/scaling.hpp>

#include "base/parallel.hpp"
#include "data/dataset_check.hpp"
#include "data/scaling/column_quantiles.hpp"
#include "data/scaling/column_statistics.hpp"
#include "data/scaling/feature_scaling.hpp"

namespace rankine {
namespace {

void fit_standard(const Dataset& data, std::span<const ColumnStatistics> columns,
                  FeatureScaling& scaling) {
  for (const ColumnStatistics& column : columns) {
    // Nothing that is not finite gets lost in a sum.
    if (!std::isfinite(column.mean)) throw_not_finite(data.source);
    // Of equal values only the range says so exactly: their mean need not be one of them.
    const bool varies = column.least < column.most && column.deviation > 0;
    scaling.shift.push_back(scaling.keeps_zeros ? 0.0 : column.mean);
    scaling.factor.push_back(varies ? 1 / column.deviation : 0.0);
  }
}

void fit_minmax(std::span<const ColumnStatistics> columns, FeatureScaling& scaling) {
  for (const ColumnStatistics& column : columns) {
    const double range = double{column.most} - column.least;
    scaling.shift.push_back(scaling.keeps_zeros ? 0.0 : double{column.least});
    scaling.factor.push_back(range > 0 ? 1 / range : 0.0);
  }
}

void fit_quantile(const Dataset& data, int threads, Collective& collective,
                  FeatureScaling& scaling) {
  auto quantiles = column_quantiles(data.features, kMaxQuantileKnots, threads, collective);
  scaling.knot_offsets = std::move(quantiles.offsets);
  scaling.knots = std::move(quantiles.knots);
  scaling.levels = std::move(quantiles.levels);
  scaling.shift.assign(static_cast<std::size_t>(scaling.num_features), 0.0);
  if (!scaling.keeps_zeros) return;
  for (std::size_t column = 0; column < scaling.shift.size(); ++column) {
    scaling.shift[column] = distribution_at(scaling, column, 0);
  }
}

/// Calls body(first, last) for pieces of [0, count), at most `most` of them.
template <class Body>
void for_each_piece(std::int64_t count, std::int64_t most, int threads, const Body& body) {
  const std::int64_t pieces = std::clamp(most, std::int64_t{1}, std::max(std::int64_t{1}, count));
  parallel_for(pieces, threads, [&](std::int64_t piece) {
    body(count / pieces * piece + std::min(piece, count % pieces),
         count / pieces * (piece + 1) + std::min(piece + 1, count % pieces));
  });
}

constexpr std::int64_t kPieces = 256;
constexpr std::int64_t kRowsTogether = 64;  // they stay in the cache between copying and scaling

void copy_row(const DenseMatrix& matrix, std::int64_t row, std::span<float> out) {
  const auto values = matrix.row(row);
  std::fill(std::copy(values.begin(), values.end(), out.begin()), out.end(), 0.0F);
}

void copy_row(const CsrMatrix& matrix, std::int64_t row, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0F);
  const auto first = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
  const auto last = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
  for (std::size_t k = first; k < last; ++k) out[matrix.columns[k]] = matrix.values[k];
}

template <class Matrix>
DenseMatrix scaled_dense(const Matrix& matrix, const Dataset& data, const FeatureScaling& scaling,
                         int threads) {
  const auto width = static_cast<std::size_t>(scaling.num_features);
  std::vector<float> values(static_cast<std::size_t>(matrix.num_rows) * width);
  const auto rows = [&](std::int64_t first, std::int64_t last) {
    return std::span(values).subspan(static_cast<std::size_t>(first) * width,
                                     static_cast<std::size_t>(last - first) * width);
  };
  if (scales_rows_alone(scaling)) {
    for_each_piece(matrix.num_rows, kPieces, threads, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t begin = first; begin < last; begin += kRowsTogether) {
        const std::int64_t end = std::min(begin + kRowsTogether, last);
        for (std::int64_t row = begin; row < end; ++row) copy_row(matrix, row, rows(row, row + 1));
        scale_rows(scaling, rows(begin, end));
      }
    });
  } else {
    for_each_piece(
        data.num_queries(), kPieces, threads, [&](std::int64_t first, std::int64_t last) {
          QueryRanges ranges(scaling.num_features);
          for (std::int64_t query = first; query < last; ++query) {
            const std::int64_t begin = data.query_offsets[static_cast<std::size_t>(query)];
            const std::int64_t end = data.query_offsets[static_cast<std::size_t>(query) + 1];
            for (std::int64_t row = begin; row < end; ++row)
              copy_row(matrix, row, rows(row, row + 1));
            ranges.scale(rows(begin, end), scaling.keeps_zeros);
          }
        });
  }
  return {matrix.num_rows, scaling.num_features, std::move(values)};
}

CsrMatrix scaled_sparse(const CsrMatrix& matrix, const Dataset& data, const FeatureScaling& scaling,
                        int threads) {
  std::vector<float> values(matrix.values.begin(), matrix.values.end());
  const auto begin_of = [&](std::int64_t row) {
    return static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
  };
  if (scales_rows_alone(scaling)) {
    for_each_piece(matrix.num_rows, kPieces, threads, [&](std::int64_t first, std::int64_t last) {
      const std::size_t begin = begin_of(first);
      const std::size_t count = begin_of(last) - begin;
      scale_rows(scaling, matrix.columns.span().subspan(begin, count),
                 std::span(values).subspan(begin, count));
    });
  } else {
    // Few enough pieces that making their ranges costs less than the values.
    const auto most = std::ssize(values) / std::max<std::int64_t>(1, scaling.num_features);
    for_each_piece(
        data.num_queries(), std::min(most, kPieces), threads,
        [&](std::int64_t first, std::int64_t last) {
          QueryRanges ranges(scaling.num_features);
          for (std::int64_t query = first; query < last; ++query) {
            const std::int64_t first_row = data.query_offsets[static_cast<std::size_t>(query)];
            const std::int64_t last_row = data.query_offsets[static_cast<std::size_t>(query) + 1];
            const std::size_t begin = begin_of(first_row);
            const std::size_t count = begin_of(last_row) - begin;
            ranges.scale(matrix.columns.span().subspan(begin, count),
                         std::span(values).subspan(begin, count), last_row - first_row);
          }
        });
  }
  return {matrix.num_rows, scaling.num_features, matrix.offsets, matrix.columns, std::move(values)};
}

/// Columns that the data does not have get an empty name.
StringList widened(const StringList& names, std::int64_t num_features) {
  const auto count = static_cast<std::size_t>(num_features);
  if (names.empty() || names.size() == count) return names;
  std::vector<std::int64_t> offsets(names.offsets().begin(), names.offsets().end());
  offsets.resize(count + 1, offsets.back());
  return {names.bytes(), std::move(offsets)};
}

}  // namespace

FeatureScaling fit_scaling(const Dataset& data, Scaling kind, int threads) {
  return fit_scaling(data, kind, threads, one_process());
}

FeatureScaling fit_scaling(const Dataset& data, Scaling kind, int threads, Collective& collective) {
  FeatureScaling scaling;
  scaling.kind = kind;
  scaling.num_features = data.num_features();
  const bool needs_statistics = kind == Scaling::standard || kind == Scaling::minmax;
  scaling.keeps_zeros = !data.is_dense() || kind == Scaling::none || kind == Scaling::log;
  if (!needs_statistics && kind != Scaling::quantile) return scaling;
  if (DocumentRange(data.num_documents(), collective).total() == 0) {
    throw Error(ErrorKind::data, data.source + ": no documents to fit scaling = " +
                                     std::string(name_of(kind)) + " on");
  }
  if (kind == Scaling::quantile) {
    fit_quantile(data, threads, collective, scaling);
    return scaling;
  }
  const auto columns = column_statistics(
      data, threads, [] {}, collective);
  if (kind == Scaling::standard) fit_standard(data, columns, scaling);
  if (kind == Scaling::minmax) fit_minmax(columns, scaling);
  return scaling;
}

Dataset apply_scaling(const Dataset& data, const FeatureScaling& scaling, int threads) {
  check_scaling(scaling, data.source);
  if (data.num_features() > scaling.num_features) {
    throw Error(ErrorKind::data, data.source + ": " + std::to_string(data.num_features()) +
                                     " features, but the scaling was fitted on " +
                                     std::to_string(scaling.num_features));
  }
  const bool is_same = scaling.kind == Scaling::none && data.num_features() == scaling.num_features;
  if (is_same) return data;
  Dataset scaled = data;
  scaled.feature_names = widened(data.feature_names, scaling.num_features);
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    scaled.features = scaled_dense(*dense, data, scaling, threads);
  } else if (const auto& sparse = std::get<CsrMatrix>(data.features); scaling.keeps_zeros) {
    scaled.features = scaled_sparse(sparse, data, scaling, threads);
  } else {
    scaled.features = scaled_dense(sparse, data, scaling, threads);
  }
  return scaled;
}

}  // namespace rankine
