// A feature map phi: rows x to rows phi(x) with phi(x) . phi(z) about k(x, z). Any linear ranker
// may follow, and its weights fold into a function of x that needs no phi.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <rankine/dataset.hpp>
#include <rankine/feature_map.hpp>
#include <rankine/model.hpp>

#include "compute/query_rows.hpp"

namespace rankine {

class KernelProductCache;

class FeatureMap {
 public:
  virtual ~FeatureMap() = default;
  virtual std::int64_t num_components() const = 0;
  /// Writes phi of rows first .. first + count - 1, row-major. Calls may come from several threads.
  virtual void map(const FeatureMatrix& rows, std::int64_t first, std::int64_t count,
                   float* out) const = 0;
  /// The function x -> weights . phi(x).
  virtual ScoringFunction fold(std::span<const double> weights) const = 0;
  /// Whether a component is a mixture of the function's terms, or one of them times a factor.
  virtual bool mixes_terms() const { return true; }
};

bool has_gamma(Kernel kind);

/// The kernel of the options; gamma 0 becomes the data's.
KernelSpec kernel_of(const FeatureMapOptions& options, const FeatureMatrix& rows,
                     std::uint64_t seed);

/// Throws Error{option} where the options ask for what does not exist: random features for a kernel
/// that has none, or a kernel that relu does not stand in for.
void check_feature_map(const FeatureMapOptions& options);

/// The map that `options` describe, fitted on `rows`. Fills `report`. Requires: an approximation.
/// `kept`, which must hold `rows` and outlive the map, saves work that another map of them did
/// (nystroem), and changes no bit.
std::unique_ptr<FeatureMap> fit_feature_map(const FeatureMapOptions& options,
                                            const FeatureMatrix& rows, std::uint64_t seed,
                                            int threads, MapReport& report,
                                            KernelProductCache* kept = nullptr);

/// phi of all rows.
DenseMatrix map_rows(const FeatureMap& map, const FeatureMatrix& rows, int threads);

/// phi of the rows asked for, made when they are.
class MappedRows final : public RowMaker {
 public:
  /// Keeps references.
  MappedRows(const FeatureMap& map, const FeatureMatrix& rows) : map_(map), rows_(rows) {}
  std::int64_t num_columns() const override { return map_.num_components(); }
  void make(std::int64_t first, std::int64_t count, float* out) const override {
    map_.map(rows_, first, count, out);
  }

 private:
  const FeatureMap& map_;
  const FeatureMatrix& rows_;
};

}  // namespace rankine
