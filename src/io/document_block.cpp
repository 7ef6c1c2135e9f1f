#include "io/document_block.hpp"

#include <algorithm>

#include "data/size_check.hpp"

namespace rankine {
namespace {

template <class T>
Array<T> view(const std::vector<T>& values) {
  return Array<T>::borrow(values, nullptr);
}

void start_sparse(DocumentBlock& block) {
  block.row_offsets.assign(1, 0);
  block.columns.clear();
  block.values.clear();
}

void add_entry(DocumentBlock& block, std::uint32_t column, float value) {
  if (value == 0) return;
  block.columns.push_back(column);
  block.values.push_back(value);
}

void finish_sparse(DocumentBlock& block, std::int64_t num_columns) {
  block.documents.features =
      CsrMatrix{std::ssize(block.row_offsets) - 1, num_columns, view(block.row_offsets),
                view(block.columns), view(block.values)};
}

}  // namespace

void set_features(DocumentBlock& block, const EntryRows& rows, bool dense,
                  std::int64_t num_columns) {
  const auto width = static_cast<std::size_t>(num_columns);
  std::size_t entry = 0;
  if (dense) {
    check_dense_fits(block.documents.source, std::ssize(rows.row_ends), num_columns);
    block.values.resize(rows.row_ends.size() * width);
    float* out = block.values.data();
    for (const std::size_t end : rows.row_ends) {
      // Rows that leave nothing out, which are most, are copied as they are.
      const std::size_t count = end - entry;
      const bool is_full = count > 0 && rows.columns[end - 1] + std::size_t{1} == count;
      const std::size_t copied = is_full ? std::min(count, width) : 0;
      std::copy_n(rows.values.data() + entry, copied, out);
      std::fill(out + copied, out + width, 0.0F);
      for (entry += copied; entry < end && rows.columns[entry] < width; ++entry) {
        out[rows.columns[entry]] = rows.values[entry];
      }
      entry = end;
      out += width;
    }
    block.documents.features =
        DenseMatrix{std::ssize(rows.row_ends), num_columns, view(block.values)};
    return;
  }
  start_sparse(block);
  for (const std::size_t end : rows.row_ends) {
    for (; entry < end && rows.columns[entry] < width; ++entry) {
      add_entry(block, rows.columns[entry], rows.values[entry]);
    }
    entry = end;
    block.row_offsets.push_back(std::ssize(block.values));
  }
  finish_sparse(block, num_columns);
}

void set_features(DocumentBlock& block, std::span<const float> rows, std::size_t width, bool dense,
                  std::int64_t num_columns) {
  const auto stride = static_cast<std::size_t>(num_columns);
  const std::size_t taken = std::min(width, stride);
  const std::size_t num_rows = block.grades.size();
  if (dense) {
    check_dense_fits(block.documents.source, std::ssize(block.grades), num_columns);
    block.values.assign(num_rows * stride, 0.0F);
    for (std::size_t row = 0; row < num_rows; ++row) {
      std::copy_n(rows.data() + row * width, taken, block.values.data() + row * stride);
    }
    block.documents.features =
        DenseMatrix{std::ssize(block.grades), num_columns, view(block.values)};
    return;
  }
  start_sparse(block);
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::size_t column = 0; column < taken; ++column) {
      add_entry(block, static_cast<std::uint32_t>(column), rows[row * width + column]);
    }
    block.row_offsets.push_back(std::ssize(block.values));
  }
  finish_sparse(block, num_columns);
}

void set_documents(DocumentBlock& block) {
  Dataset& documents = block.documents;
  documents.grades = view(block.grades);
  documents.document_weights = view(block.weights);
  documents.query_offsets = view(block.query_offsets);
  const std::int64_t width = documents.num_features();
  std::erase_if(block.missing, [&](const MissingValue& cell) { return cell.column >= width; });
  documents.missing = view(block.missing);
  documents.num_missing = std::ssize(block.missing);
}

}  // namespace rankine
