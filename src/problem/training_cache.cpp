#include "problem/training_cache.hpp"

#include <utility>

#include "problem/prepared_data.hpp"

namespace rankine {
namespace {

/// The value at `key`, made now where there is none. A thread that comes while it is being made
/// makes another, and the first to finish counts: no thread waits.
template <class Map, class Make>
typename Map::mapped_type find_or_make(std::mutex& mutex, Map& map,
                                       const typename Map::key_type& key, const Make& make) {
  {
    const std::lock_guard lock(mutex);
    if (const auto found = map.find(key); found != map.end()) return found->second;
  }
  auto made = make();
  const std::lock_guard lock(mutex);
  return map.try_emplace(key, std::move(made)).first->second;
}

}  // namespace

std::shared_ptr<const TrainingCache::Scaled> TrainingCache::scaled(
    const TrainOptions& options, const std::function<void(Scaled&)>& make) {
  return find_or_make(mutex_, scaled_, key_of(options), [&] {
    auto scaled = std::make_shared<Scaled>();
    make(*scaled);
    scaled->rows = keep(scaled->seen.features, options.threads);
    return scaled;
  });
}

std::shared_ptr<KernelProductCache> TrainingCache::part(
    const TrainOptions& options, std::span<const std::int64_t> documents,
    const std::function<FeatureMatrix()>& make) {
  return find_or_make(mutex_, parts_, {key_of(options), {documents.begin(), documents.end()}},
                      [&] { return keep(make(), options.threads); });
}

std::shared_ptr<KernelProductCache> TrainingCache::validation(
    const TrainOptions& options, const std::function<FeatureMatrix()>& make) {
  return find_or_make(mutex_, validation_, key_of(options),
                      [&] { return keep(make(), options.threads); });
}

bool shares_rows(const TrainOptions& options) {
  const FeatureMapOptions& map = options.map;
  return map.kernel != Kernel::precomputed &&
         (map.approximation == Approximation::nystroem ||
          (map.approximation == Approximation::none && map.kernel != Kernel::linear));
}

}  // namespace rankine
