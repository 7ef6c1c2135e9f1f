// Sums by key with prefix queries: add a weight and a value to a key, ask for the totals of all
// smaller keys. Grades are the keys of the sweeps over sorted scores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rankine {

struct Tally {
  double weight = 0;
  double sum = 0;

  Tally& operator+=(const Tally& other) {
    weight += other.weight;
    sum += other.sum;
    return *this;
  }
};

/// For few keys: the totals below every key are kept up to date. add() costs O(num_keys), below()
/// one load.
class FewKeysTally {
 public:
  static constexpr std::uint32_t kMostKeys = 8;
  explicit FewKeysTally(std::uint32_t num_keys) : num_keys_(num_keys) {}

  void add(std::uint32_t key, const Tally& value) {
    for (std::uint32_t above = key + 1; above < num_keys_; ++above) below_[above] += value;
  }
  /// Totals over all keys strictly below `key`.
  const Tally& below(std::uint32_t key) const { return below_[key]; }

 private:
  std::uint32_t num_keys_;
  std::array<Tally, kMostKeys> below_{};
};

/// For many keys: a Fenwick tree (Fenwick, A new data structure for cumulative frequency tables,
/// 1994) over keys 0 .. num_keys - 1. Both operations cost O(log num_keys).
class ManyKeysTally {
 public:
  /// `nodes` is memory lent by the caller, so that many trees in a row allocate once.
  ManyKeysTally(std::uint32_t num_keys, std::vector<Tally>& nodes) : nodes_(nodes) {
    nodes_.assign(num_keys + std::size_t{1}, Tally{});
  }

  void add(std::uint32_t key, const Tally& value) {
    const std::size_t size = nodes_.size();
    for (std::size_t node = key + std::size_t{1}; node < size; node += node & (~node + 1)) {
      nodes_[node] += value;
    }
  }
  Tally below(std::uint32_t key) const {
    Tally total;
    for (std::size_t node = key; node > 0; node &= node - 1) total += nodes_[node];
    return total;
  }

 private:
  std::vector<Tally>& nodes_;
};

}  // namespace rankine
