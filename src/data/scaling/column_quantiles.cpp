// Each column is sorted. The implicit zeros of sparse data are not: they are counted as one run of
// equal values between the negative and the positive ones. From the sorted values the empirical
// distribution function is sampled at evenly spaced ranks.
#include "data/scaling/column_quantiles.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "base/sums/canonical_sum.hpp"

namespace rankine {
namespace {

struct Points {
  std::vector<double> knots;
  std::vector<double> levels;
};

/// The values of one column in order.
class SortedColumn {
 public:
  /// Sorts `values`, and keeps a view of them.
  SortedColumn(std::span<float> values, std::int64_t num_zeros)
      : values_(values), num_zeros_(num_zeros) {
    std::sort(values.begin(), values.end());
    num_negative_ = std::lower_bound(values_.begin(), values_.end(), 0.0F) - values_.begin();
  }

  std::int64_t size() const { return std::ssize(values_) + num_zeros_; }

  float value_at(std::int64_t rank) const {
    if (rank < num_negative_) return values_[static_cast<std::size_t>(rank)];
    if (rank < num_negative_ + num_zeros_) return 0;
    return values_[static_cast<std::size_t>(rank - num_zeros_)];
  }
  std::int64_t count_below(float x) const {
    const auto stored = std::lower_bound(values_.begin(), values_.end(), x) - values_.begin();
    return stored + (x > 0 ? num_zeros_ : 0);
  }
  std::int64_t count_up_to(float x) const {
    const auto stored = std::upper_bound(values_.begin(), values_.end(), x) - values_.begin();
    return stored + (x >= 0 ? num_zeros_ : 0);
  }

 private:
  std::span<const float> values_;
  std::int64_t num_zeros_;
  std::int64_t num_negative_ = 0;
};

/// The different values, or nothing when there are more than `most`.
std::vector<float> different_values(const SortedColumn& column, std::int64_t most) {
  std::vector<float> values;
  for (std::int64_t rank = 0; rank < column.size(); rank = column.count_up_to(values.back())) {
    if (std::ssize(values) == most) return {};
    values.push_back(column.value_at(rank));
  }
  return values;
}

/// Values at `count` evenly spaced ranks. Around a value that holds three of these ranks or more
/// its neighbours are kept too: between it and them the level jumps, and must not be drawn out to
/// the next rank. They take the place of the ranks the value holds, so the count is not passed.
std::vector<float> evenly_ranked_values(const SortedColumn& column, std::int64_t count) {
  std::vector<float> values;
  const auto keep = [&](float value) {
    if (values.empty() || values.back() != value) values.push_back(value);
  };
  const auto value_of = [&](std::int64_t k) {
    return column.value_at(k * (column.size() - 1) / (count - 1));
  };
  for (std::int64_t k = 0; k < count;) {
    const float value = value_of(k);
    const std::int64_t first = k;
    while (k < count && value_of(k) == value) ++k;
    const bool jumps = k - first >= 3;
    const std::int64_t below = column.count_below(value);
    const std::int64_t up_to = column.count_up_to(value);
    if (jumps && below > 0) keep(column.value_at(below - 1));
    keep(value);
    if (jumps && up_to < column.size()) keep(column.value_at(up_to));
  }
  return values;
}

Points points_of(const SortedColumn& column, std::int64_t max_knots) {
  Points points;
  if (column.size() == 0) return points;
  std::vector<float> values = different_values(column, max_knots);
  if (values.size() == 1) return points;
  if (values.empty()) values = evenly_ranked_values(column, max_knots);
  for (const float value : values) {
    const auto below = static_cast<double>(column.count_below(value));
    const auto equal = static_cast<double>(column.count_up_to(value)) - below;
    points.knots.push_back(value);
    points.levels.push_back((below + (equal - 1) / 2) / static_cast<double>(column.size() - 1));
  }
  return points;
}

void fill_points(const DenseMatrix& matrix, std::int64_t max_knots, int threads,
                 std::vector<Points>& points) {
  constexpr std::size_t kTogether = 8;  // so that a cache line is read for more than one value
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  const auto height = static_cast<std::size_t>(matrix.num_rows);
  const auto num_tasks = static_cast<std::int64_t>((width + kTogether - 1) / kTogether);
  parallel_for(num_tasks, threads, [&](std::int64_t task) {
    const std::size_t first = static_cast<std::size_t>(task) * kTogether;
    const std::size_t count = std::min(kTogether, width - first);
    std::vector<float> values(count * height);
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t k = 0; k < count; ++k) {
        values[k * height + row] = matrix.values[row * width + first + k];
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      const SortedColumn column{std::span(values).subspan(k * height, height), 0};
      points[first + k] = points_of(column, max_knots);
    }
  });
}

void fill_points(const CsrMatrix& matrix, std::int64_t max_knots, int threads,
                 std::vector<Points>& points) {
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  std::vector<std::size_t> ends(width + 1);
  for (const std::uint32_t column : matrix.columns) ++ends[column + 1];
  for (std::size_t column = 0; column < width; ++column) ends[column + 1] += ends[column];
  std::vector<float> values(matrix.values.size());
  std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    values[next[matrix.columns[k]]++] = matrix.values[k];
  }
  parallel_for(matrix.num_columns, threads, [&](std::int64_t index) {
    const auto column = static_cast<std::size_t>(index);
    const std::size_t count = ends[column + 1] - ends[column];
    const SortedColumn sorted{std::span(values).subspan(ends[column], count),
                              matrix.num_rows - static_cast<std::int64_t>(count)};
    points[column] = points_of(sorted, max_knots);
  });
}

/// The stored values of one column.
std::vector<float> values_of(const DenseMatrix& matrix, std::int64_t column) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(matrix.num_rows));
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    values.push_back(matrix.row(row)[static_cast<std::size_t>(column)]);
  }
  return values;
}
std::vector<float> values_of(const CsrMatrix& matrix, std::int64_t column) {
  std::vector<float> values;
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    if (static_cast<std::int64_t>(matrix.columns[k]) == column) values.push_back(matrix.values[k]);
  }
  return values;
}

/// Gathers column after column: order statistics are exact, whoever holds which value.
template <class Matrix>
void gather_points(const Matrix& matrix, std::int64_t max_knots, Collective& collective,
                   std::vector<Points>& points) {
  const std::int64_t num_rows = DocumentRange(matrix.num_rows, collective).total();
  for (std::int64_t column = 0; column < matrix.num_columns; ++column) {
    const std::vector<float> own = values_of(matrix, column);
    std::vector<float> values = gather_values(collective, std::span<const float>(own));
    const std::int64_t num_zeros = num_rows - std::ssize(values);
    points[static_cast<std::size_t>(column)] =
        points_of(SortedColumn(values, num_zeros), max_knots);
  }
}

}  // namespace

ColumnQuantiles column_quantiles(const FeatureMatrix& features, std::int64_t max_knots, int threads,
                                 Collective& collective) {
  RANKINE_ASSERT(max_knots >= 2);
  ColumnQuantiles result;
  std::vector<Points> points;
  std::visit(
      [&](const auto& matrix) {
        points.resize(static_cast<std::size_t>(matrix.num_columns));
        if (collective.size() > 1) {
          gather_points(matrix, max_knots, collective, points);
        } else {
          fill_points(matrix, max_knots, threads, points);
        }
      },
      features);
  result.offsets.push_back(0);
  for (const Points& column : points) {
    result.knots.insert(result.knots.end(), column.knots.begin(), column.knots.end());
    result.levels.insert(result.levels.end(), column.levels.begin(), column.levels.end());
    result.offsets.push_back(std::ssize(result.knots));
  }
  return result;
}

}  // namespace rankine
