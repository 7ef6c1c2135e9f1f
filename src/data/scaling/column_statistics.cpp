// Rows are cut into blocks whose number depends on the matrix alone. Each block sums distances from
// its own first values, which keeps the variance accurate where a column hardly varies. Means and
// squares of blocks are then merged in order by the pairwise update of Chan, Golub and LeVeque
// (Updating formulae and a pairwise algorithm for computing sample variances, 1979). The zeros of a
// sparse column are one more block.
#include "data/scaling/column_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace rankine {
namespace {

struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  // summed squared distances from the mean
  float least = 0;
  float most = 0;
  std::int64_t num_nonzero = 0;
};

/// Sums of distances from `origin`, the first value seen.
struct ShiftedSums {
  double origin = 0;
  double count = 0;
  double sum = 0;
  double squares = 0;
  float least = 0;
  float most = 0;
  std::int64_t num_nonzero = 0;

  void add(float value) {
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

  Moments moments() const {
    if (count == 0) return {};
    return {count, origin + sum / count, std::max(0.0, squares - sum * sum / count), least,
            most,  num_nonzero};
  }
};

void merge(Moments& into, const Moments& other) {
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

void add_rows(const DenseMatrix& matrix, std::int64_t first, std::int64_t last,
              std::vector<ShiftedSums>& sums) {
  for (std::int64_t row = first; row < last; ++row) {
    const auto values = matrix.row(row);
    for (std::size_t column = 0; column < values.size(); ++column) sums[column].add(values[column]);
  }
}

void add_rows(const CsrMatrix& matrix, std::int64_t first, std::int64_t last,
              std::vector<ShiftedSums>& sums) {
  const auto begin = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(first)]);
  const auto end = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(last)]);
  for (std::size_t at = begin; at < end; ++at) sums[matrix.columns[at]].add(matrix.values[at]);
}

std::int64_t num_rows_of(const FeatureMatrix& matrix) {
  return std::visit([](const auto& m) { return m.num_rows; }, matrix);
}

std::int64_t num_columns_of(const FeatureMatrix& matrix) {
  return std::visit([](const auto& m) { return m.num_columns; }, matrix);
}

}  // namespace

std::int64_t num_column_blocks(const FeatureMatrix& matrix) {
  constexpr std::int64_t kMostBlocks = 64;
  constexpr std::int64_t kMostSums = std::int64_t{1} << 22;  // bounds the memory of the sums
  constexpr std::int64_t kFewestRows = 1024;
  const std::int64_t by_memory = kMostSums / std::max<std::int64_t>(1, num_columns_of(matrix));
  const std::int64_t by_rows = num_rows_of(matrix) / kFewestRows;
  return std::clamp(std::min(by_memory, by_rows), std::int64_t{1}, kMostBlocks);
}

std::vector<ColumnStatistics> column_statistics(const FeatureMatrix& matrix, int threads,
                                                const std::function<void()>& tick) {
  const std::int64_t num_rows = num_rows_of(matrix);
  const auto num_columns = static_cast<std::size_t>(num_columns_of(matrix));
  const std::int64_t num_blocks = num_column_blocks(matrix);
  std::vector<std::vector<ShiftedSums>> blocks(static_cast<std::size_t>(num_blocks));
  parallel_for(num_blocks, threads, [&](std::int64_t block) {
    auto& sums = blocks[static_cast<std::size_t>(block)];
    sums.resize(num_columns);
    const std::int64_t first = num_rows * block / num_blocks;
    const std::int64_t last = num_rows * (block + 1) / num_blocks;
    if (first < last) {
      std::visit([&](const auto& m) { add_rows(m, first, last, sums); }, matrix);
    }
    tick();
  });

  std::vector<ColumnStatistics> columns(num_columns);
  for (std::size_t column = 0; column < num_columns; ++column) {
    Moments total;
    for (const auto& sums : blocks) merge(total, sums[column].moments());
    Moments zeros;
    zeros.count = static_cast<double>(num_rows) - total.count;
    if (zeros.count > 0) merge(total, zeros);
    columns[column] = {total.least, total.most, total.mean,
                       total.count > 0 ? std::sqrt(total.squares / total.count) : 0.0,
                       total.num_nonzero};
  }
  return columns;
}

}  // namespace rankine
