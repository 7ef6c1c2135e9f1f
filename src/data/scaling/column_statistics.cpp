// Each leaf sums the distances from its own first values, which keeps the variance exact where a
// column hardly varies; leaves are then merged pair by pair (Chan, Golub and LeVeque, "Updating
// formulae and a pairwise algorithm for computing sample variances", 1979). A sparse column's zeros
// are one more part.
#include "data/scaling/column_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace rankine {
namespace {

void merge(ColumnMoments::Column& into, const ColumnMoments::Column& other) {
  if (other.count == 0) return;
  if (into.count == 0) {
    into = other;
    return;
  }
  const double count = into.count + other.count;
  const double gap = other.mean - into.mean;
  into.squares += other.squares + gap * gap * (into.count * other.count / count);
  into.mean += gap * (other.count / count);
  into.count = count;
  into.least = std::min(into.least, other.least);
  into.most = std::max(into.most, other.most);
  into.num_nonzero += other.num_nonzero;
}

Cuts column_cuts(const Dataset& data, const DocumentRange& documents) {
  constexpr std::size_t kValuesEach = sizeof(ColumnMoments::Column) / sizeof(double);
  return {documents, kValuesEach * static_cast<std::size_t>(data.num_features()),
          static_cast<std::size_t>(data.num_queries()),
          [&](std::size_t query) { return data.query_offsets[query]; }};
}

}  // namespace

void ColumnMoments::add(const ColumnMoments& other) {
  for (std::size_t column = 0; column < columns.size(); ++column) {
    merge(columns[column], other.columns[column]);
  }
}

std::vector<ColumnStatistics> ColumnMoments::statistics(std::int64_t num_rows) const {
  std::vector<ColumnStatistics> result;
  for (Column total : columns) {
    Column zeros;
    zeros.count = static_cast<double>(num_rows) - total.count;
    if (zeros.count > 0) merge(total, zeros);
    result.push_back({total.least, total.most, total.mean,
                      total.count > 0 ? std::sqrt(total.squares / total.count) : 0.0,
                      total.num_nonzero});
  }
  return result;
}

void ShiftedSums::Column::add(float value) {
  if (count == 0) {
    origin = value;
    least = most = value;
  }
  const double distance = value - origin;
  count += 1;
  sum += distance;
  squares += distance * distance;
  least = std::min(least, value);
  most = std::max(most, value);
  num_nonzero += value != 0 ? 1 : 0;
}

void ShiftedSums::add(const DenseMatrix& matrix, std::int64_t first, std::int64_t last) {
  for (std::int64_t row = first; row < last; ++row) {
    const auto values = matrix.row(row);
    for (std::size_t column = 0; column < values.size(); ++column) {
      columns_[column].add(values[column]);
    }
  }
}

void ShiftedSums::add(const CsrMatrix& matrix, std::int64_t first, std::int64_t last) {
  const auto begin = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(first)]);
  const auto end = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(last)]);
  for (std::size_t at = begin; at < end; ++at) columns_[matrix.columns[at]].add(matrix.values[at]);
}

void ShiftedSums::add_rows(const FeatureMatrix& matrix, std::int64_t first, std::int64_t last) {
  if (first < last) std::visit([&](const auto& rows) { add(rows, first, last); }, matrix);
}

ColumnMoments ShiftedSums::close() && {
  ColumnMoments moments(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Column& each = columns_[k];
    if (each.count == 0) continue;
    moments.columns[k] = {each.count,
                          each.origin + each.sum / each.count,
                          std::max(0.0, each.squares - each.sum * each.sum / each.count),
                          each.least,
                          each.most,
                          each.num_nonzero};
  }
  return moments;
}

std::size_t num_column_leaves(const Dataset& data) {
  return column_cuts(data, DocumentRange(data.num_documents())).size();
}

std::vector<ColumnStatistics> column_statistics(const Dataset& data, int threads,
                                                const std::function<void()>& tick,
                                                Collective& collective) {
  const auto width = static_cast<std::size_t>(data.num_features());
  const DocumentRange documents(data.num_documents(), collective);
  const auto moments = reduce_queries(column_cuts(data, documents), threads, ColumnMoments(width),
                                      [&](const Cuts::Leaf& leaf, ColumnMoments& sum) {
                                        ShiftedSums sums(width);
                                        sums.add_rows(data.features, data.query_offsets[leaf.first],
                                                      data.query_offsets[leaf.last]);
                                        sum = std::move(sums).close();
                                        tick();
                                      });
  return moments.statistics(documents.total());
}

}  // namespace rankine
