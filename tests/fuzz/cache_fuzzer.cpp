// Any bytes as a cache: an Error, or a data set that can be walked through and keeps its promises.
// Checksums are not verified, as if whoever made the file had made them right. tests/golden/v1 is
// the corpus to begin with.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <rankine/error.hpp>

#include "data/dataset_check.hpp"
#include "io/cache/dataset_cache.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto* first = reinterpret_cast<const char*>(bytes);
  const auto copy = std::make_shared<const std::vector<char>>(first, first + size);
  for (const auto checks : {rankine::CacheChecks::all, rankine::CacheChecks::structure}) {
    try {
      const rankine::Dataset data = rankine::open_cache(*copy, copy, "fuzz", 1, checks);
      try {
        rankine::check_dataset(data, "accepted");
      } catch (const rankine::Error&) {
        std::abort();
      }
    } catch (const rankine::Error&) {
    }
  }
  return 0;
}
