// Products with the feature rows of one query, or of one document, whatever the storage.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <rankine/dataset.hpp>

#include "base/prefetcher.hpp"
#include "compute/cpu/long_rows.hpp"
#include "compute/cpu/products/dense_products.hpp"
#include "compute/cpu/products/sparse_products.hpp"

namespace rankine {

class QueryRows {
 public:
  /// The rows from `first` on; each call's spans say how many. Keeps a reference.
  QueryRows(const FeatureMatrix& features, std::int64_t first) : first_(first) {
    if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
      dense_ = dense->row(first).data();
    } else {
      sparse_ = &std::get<CsrMatrix>(features);
    }
  }
  explicit QueryRows(const float* dense) : dense_(dense) {}

  /// The first row where the storage is dense, else null.
  const float* dense() const { return dense_; }

  /// The rows from number `row` on, each of `width` columns.
  QueryRows from(std::size_t row, std::size_t width) const {
    QueryRows rows = *this;
    if (sparse_ == nullptr) rows.dense_ += row * width;
    rows.first_ += static_cast<std::int64_t>(row);
    return rows;
  }

  /// out[r] = row r . vector.
  void products(std::span<const double> vector, std::span<double> out) const {
    if (sparse_ == nullptr) {
      row_products(dense_, vector, out);
    } else {
      row_products(*sparse_, first_, vector, out);
    }
  }
  /// out += sum over r of factors[r] * row r.
  void add_weighted(std::span<const double> factors, std::span<double> out) const {
    if (sparse_ == nullptr) {
      add_weighted_rows(dense_, factors, out);
    } else {
      add_weighted_rows(*sparse_, first_, factors, out);
    }
  }

  /// The same, of long queries by several threads.
  void products(std::span<const double> vector, int threads, std::span<double> out) const {
    for_each_row_block(out.size(), threads, [&](std::size_t first, std::size_t count) {
      from(first, vector.size()).products(vector, out.subspan(first, count));
    });
  }
  void add_weighted(std::span<const double> factors, int threads, std::span<double> out) const {
    add_row_blocks(factors.size(), threads, out,
                   [&](std::size_t first, std::size_t count, std::span<double> sum) {
                     from(first, sum.size()).add_weighted(factors.subspan(first, count), sum);
                   });
  }

 private:
  const float* dense_ = nullptr;
  const CsrMatrix* sparse_ = nullptr;
  std::int64_t first_ = 0;
};

/// Dense rows made when they are needed: a matrix that is too large to keep.
class RowMaker {
 public:
  virtual ~RowMaker() = default;
  virtual std::int64_t num_columns() const = 0;
  /// Writes rows first .. first + count - 1, row-major. Calls may come from several threads.
  virtual void make(std::int64_t first, std::int64_t count, float* out) const = 0;
};

/// The feature rows of all documents: kept in a matrix, or made anew each time.
class FeatureRows {
 public:
  /// Keeps a reference.
  explicit FeatureRows(const FeatureMatrix& features) : features_(&features) {}
  explicit FeatureRows(const RowMaker& maker) : maker_(&maker) {}

  std::int64_t num_columns() const {
    if (maker_ != nullptr) return maker_->num_columns();
    return std::visit([](const auto& matrix) { return matrix.num_columns; }, *features_);
  }
  bool are_dense() const {
    return maker_ != nullptr || std::holds_alternative<DenseMatrix>(*features_);
  }
  /// The matrix where it is sparse, else null.
  const CsrMatrix* sparse() const {
    return maker_ != nullptr ? nullptr : std::get_if<CsrMatrix>(features_);
  }
  /// Rows first .. first + count - 1. Made rows are valid until this thread asks for others.
  QueryRows rows(std::int64_t first, std::int64_t count) const {
    if (maker_ == nullptr) return QueryRows(*features_, first);
    thread_local std::vector<float> made;
    made.resize(static_cast<std::size_t>(count * maker_->num_columns()));
    maker_->make(first, count, made.data());
    return QueryRows(made.data());
  }
  /// The memory of rows that will be needed soon, for prefetching; none where they are sparse or
  /// made.
  Prefetcher ahead(std::int64_t first, std::int64_t count) const {
    if (maker_ != nullptr || sparse() != nullptr) return {};
    const auto& matrix = std::get<DenseMatrix>(*features_);
    const std::int64_t width = matrix.num_columns;
    return Prefetcher(matrix.values.span().subspan(static_cast<std::size_t>(first * width),
                                                   static_cast<std::size_t>(count * width)));
  }

 private:
  const FeatureMatrix* features_ = nullptr;
  const RowMaker* maker_ = nullptr;
};

}  // namespace rankine
