// What kernels of several gammas over the same rows have in common, because no gamma changes it:
// computed when it is first needed, and kept. The gammas may be tried one after the other or side
// by side.
//   landmarks     the choice of uniform and kmeans
//   comparisons   x . z, |x - z|_2^2 or |x - z|_1 of the landmarks with each other, in double
//   products      x . z (laplacian: |x - z|_1) of all rows with landmarks, in single precision;
//                 kernel_blocks makes kernel values of them, with the same bits as from the
//                 features
//   matrix        the same of all rows with each other, for an exact kernel
// Products are found by what a landmark holds, so that a smaller gamma, whose pivots are some of a
// larger one's, or another model, finds the columns that are there and adds those that are not.
// No thread waits for another: what another thread is computing right now is computed twice.
//
// When products are kept: the memory must last (MemoryBudget), and a row must have values enough
// that computing a product costs clearly more than reading it (is_worth_keeping): with dense rows
// and rbf about 60 features for 15 gammas, 220 for 2. Cost: 4 bytes per product.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/feature_map.hpp>

#include "base/system/growing_array.hpp"
#include "compute/backend.hpp"
#include "compute/kernel_blocks.hpp"
#include "features/row_lookup.hpp"

namespace rankine {

/// Bytes that may still be taken. Safe from several threads.
class MemoryBudget {
 public:
  explicit MemoryBudget(double bytes) : left_(bytes) {}
  /// Takes them all or, where fewer are left, none.
  bool take(double bytes);
  void give_back(double bytes) { take(-bytes); }
  double left() const;

 private:
  mutable std::mutex mutex_;
  double left_;
};

class KernelProductCache;

/// Products of all rows with some landmarks, as a KernelProductCache has them; it must outlive
/// this.
class KeptColumns {
 public:
  /// kernel_block of the kept rows with `columns`, the same bits. `columns` must be the landmarks.
  void block(std::int64_t first, std::int64_t count, const PackedColumns& columns,
             const KernelFormula& function, float* out) const;

 private:
  friend class KernelProductCache;

  /// Landmarks that were first needed together.
  struct Chunk {
    Chunk(const FeatureMatrix& landmarks, std::int64_t num_rows);

    PackedColumns columns;
    GrowingArray<float> values;                   // rows x columns, row-major
    std::vector<std::atomic<std::uint8_t>> made;  // by block of rows
  };
  struct Place {
    std::uint32_t from;  // column of the chunk
    std::uint32_t to;    // landmark
  };
  struct Part {
    Chunk* chunk;
    std::vector<Place> places;
  };

  /// Writes the products, or returns false where another thread is making some of them.
  bool gather(std::int64_t first, std::int64_t count, float* out) const;

  const KernelProductCache* owner_ = nullptr;
  KernelFormula product_;  // what is kept
  std::size_t num_landmarks_ = 0;
  std::vector<Part> parts_;
};

class KernelProductCache {
 public:
  /// For `num_uses` trainings or scorings. Takes memory from `budget` until it is gone, and gives
  /// it back in the end.
  KernelProductCache(FeatureMatrix rows, std::shared_ptr<MemoryBudget> budget, std::size_t num_uses,
                     int threads);
  ~KernelProductCache();
  KernelProductCache(const KernelProductCache&) = delete;
  KernelProductCache& operator=(const KernelProductCache&) = delete;

  const FeatureMatrix& rows() const { return rows_; }

  /// choose_landmarks of these rows.
  std::vector<std::int64_t> choose_landmarks(const KernelSpec& kernel, Landmarks how,
                                             std::int64_t count, std::uint64_t seed, int threads);
  /// kernel_gram of `landmarks`, which are the rows `chosen`.
  std::vector<double> gram(const KernelSpec& kernel, const std::vector<std::int64_t>& chosen,
                           const FeatureMatrix& landmarks, int threads);
  /// The products of all rows with `landmarks`; null where they are not worth keeping or have no
  /// room.
  std::unique_ptr<const KeptColumns> columns(const KernelSpec& kernel,
                                             const FeatureMatrix& landmarks);
  /// The kernel of all rows, from products that are kept; null where they are not worth keeping or
  /// have no room.
  std::unique_ptr<const KernelOperator> matrix(const KernelSpec& kernel, const Backend& backend,
                                               int threads);
  /// Whether keeping products costs less than computing them each time.
  bool is_worth_keeping(const KernelSpec& kernel) const;

 private:
  friend class KeptColumns;

  struct Products {
    RowLookup lookup;
    std::vector<std::unique_ptr<KeptColumns::Chunk>> chunks;
    std::vector<std::pair<std::size_t, std::uint32_t>> places;  // by number: chunk and its column
  };
  /// Adds those of `landmarks` that are missing; returns false where they have no room.
  bool add(Products& products, const FeatureMatrix& landmarks);
  bool take(double bytes);

  using LandmarkKey = std::tuple<Landmarks, std::int64_t, std::uint64_t>;
  using GramKey = std::pair<Kernel, std::vector<std::int64_t>>;

  FeatureMatrix rows_;
  std::size_t num_uses_;
  std::int64_t num_rows_;
  std::vector<float> squared_norms_;
  std::shared_ptr<MemoryBudget> budget_;
  std::mutex mutex_;  // of all that follows, but not of what chunks hold
  double taken_ = 0;
  std::map<LandmarkKey, std::vector<std::int64_t>> landmarks_;
  std::map<GramKey, std::shared_ptr<const std::vector<double>>> comparisons_;
  Products products_;
  Products distances_;
  /// By backend, and whether they are distances.
  std::map<std::pair<const Backend*, bool>, std::shared_ptr<const KernelOperator>> matrices_;
};

}  // namespace rankine
