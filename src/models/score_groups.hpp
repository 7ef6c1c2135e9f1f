// Scores of several things, made together where they can be.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace rankine {

/// The scores of each of `all`: score(group) gives those of things that are alike(first, other), in
/// their order.
template <class T, class Alike, class Score>
std::vector<std::vector<double>> scores_by_group(std::span<const T* const> all, const Alike& alike,
                                                 const Score& score) {
  std::vector<std::vector<double>> scores(all.size());
  std::vector<bool> done(all.size());
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (done[first]) continue;
    std::vector<std::size_t> members;
    std::vector<const T*> group;
    for (std::size_t k = first; k < all.size(); ++k) {
      if (done[k] || !alike(*all[first], *all[k])) continue;
      done[k] = true;
      members.push_back(k);
      group.push_back(all[k]);
    }
    auto of_group = score(std::span<const T* const>(group));
    for (std::size_t k = 0; k < members.size(); ++k) scores[members[k]] = std::move(of_group[k]);
  }
  return scores;
}

}  // namespace rankine
