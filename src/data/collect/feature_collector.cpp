// The number of columns and their density are known only at the end, so the matrix follows what was
// seen so far. A wider block widens the rows in place, by at least a quarter, so that this happens
// rarely. Text that turns out to be sparse is converted at once, before dense rows could fill the
// memory. At the end the matrix takes the form that the whole text calls for. In a usual file all
// blocks agree, and nothing is ever moved.
#include "data/collect/feature_collector.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "data/size_check.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kWorthDense = 4;  // dense where at least one entry in 4 is written

}  // namespace

FeatureCollector::FeatureCollector(std::string source, Storage storage, std::int64_t num_columns)
    : source_(std::move(source)),
      storage_(storage),
      num_columns_(num_columns),
      dense_(storage != Storage::sparse) {}

bool FeatureCollector::wants_dense() const {
  if (storage_ != Storage::automatic) return storage_ == Storage::dense;
  // In double, for the product may pass 2^63; the counts themselves are exact.
  return static_cast<double>(num_written_) * kWorthDense >=
         static_cast<double>(num_rows_) * static_cast<double>(num_columns_);
}

void FeatureCollector::add(const EntryRows& rows) {
  const auto had = static_cast<std::size_t>(num_rows_);
  num_rows_ += static_cast<std::int64_t>(rows.row_ends.size());
  num_columns_ = std::max(num_columns_, rows.num_columns);
  num_written_ += rows.row_ends.empty() ? 0 : static_cast<std::int64_t>(rows.row_ends.back());
  if (dense_ && !wants_dense()) {
    to_sparse(had);
    dense_ = false;
  }
  if (dense_) {
    add_dense(rows);
  } else {
    add_sparse(rows);
  }
}

void FeatureCollector::add_dense(const EntryRows& rows) {
  const auto width = static_cast<std::size_t>(num_columns_);
  const std::size_t count = rows.row_ends.size();
  const std::size_t had = static_cast<std::size_t>(num_rows_) - count;
  if (width > stride_) {
    const std::size_t stride = had == 0 ? width : std::max(width, stride_ + stride_ / 4);
    check_dense_fits(source_, num_rows_, static_cast<std::int64_t>(width));
    restride(had, stride);
    stride_ = stride;
  }
  check_dense_fits(source_, num_rows_, static_cast<std::int64_t>(stride_));
  values_.resize((had + count) * stride_);
  float* out = values_.data() + had * stride_;
  std::size_t entry = 0;
  for (const std::size_t end : rows.row_ends) {
    const std::size_t num_entries = end - entry;
    if (num_entries > 0 && rows.columns[end - 1] + std::size_t{1} == num_entries) {
      std::memcpy(out, rows.values.data() + entry, num_entries * sizeof(float));
      std::fill(out + num_entries, out + stride_, 0.0F);
      entry = end;
    } else {
      std::fill(out, out + stride_, 0.0F);
      for (; entry < end; ++entry) out[rows.columns[entry]] = rows.values[entry];
    }
    out += stride_;
  }
}

void FeatureCollector::expect(double times) {
  values_.expect(times);
  columns_.expect(times);
  offsets_.expect(times);
}

/// Rows move up from the last, so that none is written over before it has moved.
void FeatureCollector::restride(std::size_t count, std::size_t stride) {
  values_.resize(count * stride);
  float* const data = values_.data();
  for (std::size_t row = count; row-- > 0;) {
    std::memmove(data + row * stride, data + row * stride_, stride_ * sizeof(float));
    std::fill(data + row * stride + stride_, data + (row + 1) * stride, 0.0F);
  }
}

void FeatureCollector::add_sparse(const EntryRows& rows) {
  if (rows.row_ends.empty()) return;
  const std::size_t num_entries = rows.row_ends.back();
  const std::size_t had_rows = offsets_.size() == 0 ? 0 : offsets_.size() - 1;
  std::size_t filled = values_.size();
  offsets_.resize(had_rows + rows.row_ends.size() + 1);
  columns_.resize(filled + num_entries + 1);
  values_.resize(filled + num_entries + 1);
  std::int64_t* offset = offsets_.data() + had_rows;
  *offset++ = static_cast<std::int64_t>(filled);
  float* const values = values_.data();
  std::uint32_t* const columns = columns_.data();
  std::size_t entry = 0;
  for (const std::size_t end : rows.row_ends) {
    for (; entry < end; ++entry) {
      values[filled] = rows.values[entry];
      columns[filled] = rows.columns[entry];
      filled += static_cast<std::size_t>(rows.values[entry] != 0);
    }
    *offset++ = static_cast<std::int64_t>(filled);
  }
  columns_.resize(filled);
  values_.resize(filled);
}

void FeatureCollector::to_sparse(std::size_t count) {
  GrowingArray<float> dense = std::exchange(values_, {});
  std::vector<std::uint32_t> columns(stride_);
  std::iota(columns.begin(), columns.end(), 0U);
  const std::size_t end = stride_;
  for (std::size_t row = 0; row < count; ++row) {
    add_sparse({std::span(&end, 1), columns, std::span(dense.data() + row * stride_, stride_)});
  }
}

void FeatureCollector::to_dense() {
  GrowingArray<float> values = std::exchange(values_, {});
  GrowingArray<std::uint32_t> columns = std::exchange(columns_, {});
  GrowingArray<std::int64_t> offsets = std::exchange(offsets_, {});
  stride_ = static_cast<std::size_t>(num_columns_);
  check_dense_fits(source_, num_rows_, static_cast<std::int64_t>(stride_));
  values_.resize(static_cast<std::size_t>(num_rows_) * stride_);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    float* const out = values_.data() + row * stride_;
    for (auto entry = static_cast<std::size_t>(offsets[row]);
         entry < static_cast<std::size_t>(offsets[row + 1]); ++entry) {
      out[columns[entry]] = values[entry];
    }
  }
}

/// Takes the form that the whole text asks for.
void FeatureCollector::settle() {
  if (!dense_ && wants_dense()) {
    to_dense();
    dense_ = true;
  }
  const auto width = static_cast<std::size_t>(num_columns_);
  if (!dense_ || width == stride_) return;
  float* const data = values_.data();
  for (std::size_t row = 0; row < static_cast<std::size_t>(num_rows_); ++row) {
    std::memmove(data + row * width, data + row * stride_, width * sizeof(float));
  }
  values_.resize(static_cast<std::size_t>(num_rows_) * width);
  stride_ = width;
}

/// Follows each cycle of the permutation: one row is set aside while the others move up.
bool FeatureCollector::permute(std::span<const std::int64_t> order) {
  settle();
  if (!dense_) return false;
  std::vector<float> waiting(stride_);
  std::vector<bool> placed(order.size());
  const auto row = [&](std::size_t index) { return values_.data() + index * stride_; };
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (placed[start]) continue;
    std::copy_n(row(start), stride_, waiting.data());
    std::size_t to = start;
    for (;;) {
      placed[to] = true;
      const auto from = static_cast<std::size_t>(order[to]);
      if (from == start) break;
      std::copy_n(row(from), stride_, row(to));
      to = from;
    }
    std::copy_n(waiting.data(), stride_, row(to));
  }
  return true;
}

FeatureMatrix FeatureCollector::finish() {
  settle();
  if (dense_) return DenseMatrix{num_rows_, num_columns_, values_.finish()};
  if (offsets_.size() == 0) offsets_.resize(1);
  return CsrMatrix{num_rows_, num_columns_, offsets_.finish(), columns_.finish(), values_.finish()};
}

FeatureMatrix stored_as(const std::string& source, const FeatureMatrix& matrix, Storage storage,
                        std::int64_t num_columns) {
  const std::int64_t width = std::visit([](const auto& m) { return m.num_columns; }, matrix);
  FeatureCollector collector(source, storage, std::max(width, num_columns));
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    std::vector<std::uint32_t> columns(static_cast<std::size_t>(width));
    std::iota(columns.begin(), columns.end(), 0U);
    const std::size_t end = columns.size();
    for (std::int64_t row = 0; row < dense->num_rows; ++row) {
      collector.add({std::span(&end, 1), columns, dense->row(row), width});
    }
  } else {
    const auto& sparse = std::get<CsrMatrix>(matrix);
    for (std::size_t row = 0; row + 1 < sparse.offsets.size(); ++row) {
      const auto first = static_cast<std::size_t>(sparse.offsets[row]);
      const auto end = static_cast<std::size_t>(sparse.offsets[row + 1]) - first;
      collector.add({std::span(&end, 1), sparse.columns.span().subspan(first, end),
                     sparse.values.span().subspan(first, end), width});
    }
  }
  return collector.finish();
}

}  // namespace rankine
