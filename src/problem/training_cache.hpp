// What trainings on the same documents share, whatever else their options say: the scaled rows and,
// where there is a kernel, what gamma does not change (features/kernel_product_cache). A
// tuning has one for each fold and share of its queries, for as long as trainings on it are left.
// Safe from several threads; the models have the same bits with it and without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/scaling.hpp>
#include <rankine/train.hpp>

#include "features/kernel_product_cache.hpp"

namespace rankine {

class TrainingCache {
 public:
  /// For so many trainings, which take from `budget` what is kept for them.
  TrainingCache(std::shared_ptr<MemoryBudget> budget, std::size_t num_trainings)
      : budget_(std::move(budget)), num_trainings_(num_trainings) {}

  /// Training documents as a kernel sees them.
  struct Scaled {
    Dataset seen;
    FeatureScaling scaling;
    std::vector<std::int64_t> selected;  // columns of the input; empty: all
    std::vector<std::size_t> constant;   // columns of seen
    std::shared_ptr<KernelProductCache> rows;
  };
  /// Those of an earlier training with the same scaling and features, or made now; `make` fills all
  /// but the rows.
  std::shared_ptr<const Scaled> scaled(const TrainOptions& options,
                                       const std::function<void(Scaled&)>& make);
  /// The rows among those that an exact kernel is of.
  std::shared_ptr<KernelProductCache> part(const TrainOptions& options,
                                           std::span<const std::int64_t> documents,
                                           const std::function<FeatureMatrix()>& make);
  /// Other documents, always the same, scaled as the training documents are.
  std::shared_ptr<KernelProductCache> validation(const TrainOptions& options,
                                                 const std::function<FeatureMatrix()>& make);

 private:
  using Key = std::tuple<Scaling, Missing, std::string>;

  static Key key_of(const TrainOptions& options) {
    return {options.scaling, options.missing, options.features};
  }

  std::shared_ptr<KernelProductCache> keep(FeatureMatrix rows, int threads) const {
    return std::make_shared<KernelProductCache>(std::move(rows), budget_, num_trainings_, threads);
  }

  std::shared_ptr<MemoryBudget> budget_;
  std::size_t num_trainings_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Scaled>> scaled_;
  std::map<std::pair<Key, std::vector<std::int64_t>>, std::shared_ptr<KernelProductCache>> parts_;
  std::map<Key, std::shared_ptr<KernelProductCache>> validation_;
};

/// Whether trainings with these options, but other gammas, have anything to share.
bool shares_rows(const TrainOptions& options);

}  // namespace rankine
