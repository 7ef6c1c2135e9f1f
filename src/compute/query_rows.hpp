// Products with the feature rows of one query, or of one document, whatever the storage.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include <rankine/dataset.hpp>

#include "compute/cpu/dense_products.hpp"
#include "compute/cpu/sparse_products.hpp"

namespace rankine {

class QueryRows {
 public:
  /// The rows from `first` on; each call's spans say how many. Keeps a reference.
  QueryRows(const FeatureMatrix& features, std::int64_t first)
      : features_(features), first_(first) {}

  /// out[r] = row r . vector.
  void products(std::span<const double> vector, std::span<double> out) const {
    if (const auto* dense = std::get_if<DenseMatrix>(&features_)) {
      row_products(dense->row(first_).data(), vector, out);
    } else {
      row_products(std::get<CsrMatrix>(features_), first_, vector, out);
    }
  }
  /// out += sum over r of factors[r] * row r.
  void add_weighted(std::span<const double> factors, std::span<double> out) const {
    if (const auto* dense = std::get_if<DenseMatrix>(&features_)) {
      add_weighted_rows(dense->row(first_).data(), factors, out);
    } else {
      add_weighted_rows(std::get<CsrMatrix>(features_), first_, factors, out);
    }
  }

 private:
  const FeatureMatrix& features_;
  std::int64_t first_;
};

}  // namespace rankine
