// Missing values, declared in include/rankine/missing.hpp.
#include "data/missing_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>

#include <rankine/dataset.hpp>
#include <rankine/error.hpp>
#include <rankine/missing.hpp>

#include "data/scaling/column_statistics.hpp"

namespace rankine {
namespace {

float value_for(const MissingValue& cell, std::span<const double> values) {
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto column = static_cast<std::size_t>(cell.column);
  return column < values.size() ? static_cast<float>(std::clamp(values[column], -kMost, kMost)) : 0;
}

DenseMatrix filled(const DenseMatrix& matrix, std::span<const MissingValue> missing,
                   std::span<const double> values) {
  std::vector<float> copy(matrix.values.begin(), matrix.values.end());
  for (const MissingValue& cell : missing) {
    copy[static_cast<std::size_t>(cell.document * matrix.num_columns + cell.column)] =
        value_for(cell, values);
  }
  return {matrix.num_rows, matrix.num_columns, std::move(copy)};
}

/// Both the entries of a row and what it lacks come by column: they are merged.
CsrMatrix filled(const CsrMatrix& matrix, std::span<const MissingValue> missing,
                 std::span<const double> values) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> entries;
  offsets.reserve(matrix.offsets.size());
  columns.reserve(matrix.columns.size() + missing.size());
  entries.reserve(matrix.columns.size() + missing.size());
  std::size_t next = 0;
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    auto entry = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
    const auto is_in_row = [&] { return next < missing.size() && missing[next].document == row; };
    while (entry < end || is_in_row()) {
      if (!is_in_row() || (entry < end && matrix.columns[entry] < missing[next].column)) {
        columns.push_back(matrix.columns[entry]);
        entries.push_back(matrix.values[entry++]);
        continue;
      }
      const MissingValue& cell = missing[next++];
      if (entry < end && matrix.columns[entry] == cell.column) ++entry;  // filled before
      const float value = value_for(cell, values);
      if (value == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(cell.column));
      entries.push_back(value);
    }
    offsets.push_back(std::ssize(entries));
  }
  return {matrix.num_rows, matrix.num_columns, std::move(offsets), std::move(columns),
          std::move(entries)};
}

/// Throws where values are missing that cannot be found.
void check_known(const Dataset& data) {
  if (data.num_missing == static_cast<std::int64_t>(data.missing.size())) return;
  throw Error(ErrorKind::data,
              data.source +
                  ": values are missing and it is not known which: this cache is of an "
                  "earlier version; make it anew from its source");
}

}  // namespace

void PresentMeans::add(const Dataset& documents, int threads) {
  // As zeros they do not change a sum.
  const Dataset with_zeros = fill_missing(documents, {});
  const auto all = static_cast<double>(documents.num_documents());
  for (double& count : counts_) count += all;
  for (const MissingValue& cell : documents.missing) {
    counts_[static_cast<std::size_t>(cell.column)] -= 1;
  }
  std::size_t column = 0;
  for (const ColumnStatistics& found : column_statistics(with_zeros, threads, [] {})) {
    sums_[column++] += found.mean * all;
  }
}

std::vector<double> PresentMeans::means() const {
  std::vector<double> means;
  means.reserve(sums_.size());
  for (std::size_t column = 0; column < sums_.size(); ++column) {
    means.push_back(counts_[column] > 0 ? sums_[column] / counts_[column] : 0);
  }
  return means;
}

std::vector<double> means_of_present(const Dataset& data, int threads) {
  PresentMeans means(data.num_features());
  means.add(data, threads);
  return means.means();
}

Dataset fill_missing(const Dataset& data, std::span<const double> values) {
  check_known(data);
  if (data.missing.empty()) return data;
  Dataset result = data;
  result.features = std::visit(
      [&](const auto& matrix) -> FeatureMatrix { return filled(matrix, data.missing, values); },
      data.features);
  return result;
}

std::string missing_warning(const std::string& source, std::int64_t num_missing, Missing missing) {
  if (num_missing == 0) return "";
  return source + ": " + std::to_string(num_missing) +
         (num_missing == 1 ? " missing value was" : " missing values were") + " read as " +
         (missing == Missing::mean ? "the mean of the column" : "0");
}

}  // namespace rankine
