// Products with feature rows as if their columns were scaled, D = diag(factors): X D v, and
// D X^T u. Sparse rows cost what they store, as without a scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <rankine/dataset.hpp>

#include "compute/query_rows.hpp"
#include "objectives/column_scale.hpp"

namespace rankine {

class ScaledRows {
 public:
  /// The rows from `first` on; each call's spans say how many. Keeps references.
  ScaledRows(const FeatureMatrix& features, std::int64_t first, const ColumnScale& columns)
      : rows_(features, first),
        sparse_(std::get_if<CsrMatrix>(&features)),
        first_(static_cast<std::size_t>(first)),
        columns_(columns) {}

  /// out[r] = (row r times D) . vector.
  void products(std::span<const double> vector, std::span<double> out) const {
    if (columns_.is_identity()) {
      rows_.products(vector, out);
    } else if (sparse_ == nullptr) {
      thread_local std::vector<double> scaled;
      scaled.assign(vector.begin(), vector.end());
      columns_.apply(scaled);
      rows_.products(scaled, out);
    } else {
      for (std::size_t r = 0; r < out.size(); ++r) {
        out[r] = 0;
        for_each_entry(r, [&](std::size_t column, double value) {
          out[r] += value * (columns_.factor(column) * vector[column]);
        });
      }
    }
  }
  /// out += sum over r of factors[r] * (row r times D).
  void add_weighted(std::span<const double> factors, std::span<double> out) const {
    if (columns_.is_identity()) {
      rows_.add_weighted(factors, out);
    } else if (sparse_ == nullptr) {
      thread_local std::vector<double> sum;
      sum.assign(out.size(), 0.0);
      rows_.add_weighted(factors, sum);
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += columns_.factor(k) * sum[k];
    } else {
      for (std::size_t r = 0; r < factors.size(); ++r) {
        for_each_entry(r, [&](std::size_t column, double value) {
          out[column] += columns_.factor(column) * (factors[r] * value);
        });
      }
    }
  }

 private:
  template <class Body>
  void for_each_entry(std::size_t row, const Body& body) const {
    const auto end = static_cast<std::size_t>(sparse_->offsets[first_ + row + 1]);
    for (auto k = static_cast<std::size_t>(sparse_->offsets[first_ + row]); k < end; ++k) {
      body(sparse_->columns[k], static_cast<double>(sparse_->values[k]));
    }
  }

  QueryRows rows_;
  const CsrMatrix* sparse_;
  std::size_t first_;
  const ColumnScale& columns_;
};

}  // namespace rankine
