// A random subset by Floyd's method (Bentley and Floyd, A sample of brilliance, CACM 30, 1987): for
// each last = count - size ... count - 1, draw a number up to `last`; where it was drawn before,
// take `last` itself. Every subset is equally likely, and no list of all numbers is needed.
#include "base/random.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/portable_math.hpp"

namespace rankine {

double Random::normal(std::uint64_t index) const noexcept {
  return normal_quantile(uniform(index));
}

std::vector<std::int64_t> random_permutation(const Random& random, std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  shuffle(random, std::span(order));
  return order;
}

std::vector<std::int64_t> random_subset(const Random& random, std::int64_t count,
                                        std::int64_t size) {
  RANKINE_ASSERT(0 <= size && size <= count);
  std::unordered_set<std::int64_t> taken;
  std::vector<std::int64_t> subset;
  taken.reserve(static_cast<std::size_t>(size));
  subset.reserve(static_cast<std::size_t>(size));
  for (std::int64_t last = count - size; last < count; ++last) {
    const auto draw = static_cast<std::uint64_t>(last - (count - size));
    const auto chosen =
        static_cast<std::int64_t>(random.below(draw, static_cast<std::uint64_t>(last) + 1));
    subset.push_back(taken.insert(chosen).second ? chosen : last);
    if (subset.back() == last) taken.insert(last);
  }
  std::sort(subset.begin(), subset.end());
  return subset;
}

}  // namespace rankine
