// The statistics of a block of rows are merged into those of all rows before it by the pairwise
// update of Chan, Golub and LeVeque (1979): the squares of two parts add up, plus the square of the
// distance between their means, weighted by n m / (n + m).
#include "data/scaling/column_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

#include "data/scaling/column_statistics.hpp"

namespace rankine {

void ColumnSums::add(const FeatureMatrix& rows, int threads) {
  const auto added =
      static_cast<double>(std::visit([](const auto& matrix) { return matrix.num_rows; }, rows));
  const auto statistics = column_statistics(rows, threads, [] {});
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    Column& column = columns_[f];
    const ColumnStatistics& other = statistics[f];
    const double other_squares = added * other.deviation * other.deviation;
    if (column.count == 0) {
      column = {added, other.mean, other_squares, double{other.least}, double{other.most}};
      continue;
    }
    const double gap = other.mean - column.mean;
    const double all = column.count + added;
    column.squares += other_squares + gap * gap * column.count * added / all;
    column.mean += gap * added / all;
    column.count = all;
    column.least = std::min(column.least, double{other.least});
    column.most = std::max(column.most, double{other.most});
  }
}

FeatureScaling ColumnSums::scaling(Scaling kind, bool is_dense) const {
  FeatureScaling scaling;
  scaling.kind = kind;
  scaling.num_features = static_cast<std::int64_t>(columns_.size());
  scaling.keeps_zeros = kind == Scaling::none || !is_dense;
  if (kind == Scaling::none) return scaling;
  for (const Column& column : columns_) {
    const bool standard = kind == Scaling::standard;
    const double deviation = std::sqrt(column.squares / column.count);
    const double spread = standard ? deviation : column.most - column.least;
    const double shift = standard ? column.mean : column.least;
    scaling.shift.push_back(scaling.keeps_zeros ? 0.0 : shift);
    scaling.factor.push_back(!column.is_constant() && spread > 0 ? 1 / spread : 0.0);
  }
  return scaling;
}

std::vector<std::int64_t> ColumnSums::constant() const {
  std::vector<std::int64_t> constant;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    if (columns_[f].is_constant()) constant.push_back(static_cast<std::int64_t>(f));
  }
  return constant;
}

}  // namespace rankine
