// Scores that are weighted sums of terms, made block by block: the same bits however rows are cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>

#include "compute/kernel_blocks.hpp"
#include "models/kinds/model_kind.hpp"

namespace rankine {

/// A function's part in terms that several share.
struct TermShare {
  std::span<const double> weights;
  std::vector<std::size_t> columns;  // empty: all of them, in order
};

/// Writes the terms of `count` rows from `first` on, `width` per row.
using MakeTerms = std::function<void(std::int64_t first, std::int64_t count, float* out)>;

ScoresByFunction weighted_terms(std::span<const TermShare> shares, std::size_t width,
                                std::int64_t num_rows, int threads, const MakeTerms& make);

/// The terms of all rows: kernel_block of them.
DenseMatrix all_terms(const PackedColumns& columns, const KernelFormula& formula,
                      const FeatureMatrix& rows, int threads);

/// The rows of `matrix` as columns. Throws Error{data} where memory does not last: a sparse matrix
/// may state more columns than it has entries.
PackedColumns packed_terms(const FeatureMatrix& matrix, std::span<const float> phases = {});

/// Same numbers in the same storage.
bool is_same_matrix(const FeatureMatrix& a, const FeatureMatrix& b);

/// Groups of functions that are alike(first, other), each scored at once by score(group).
template <class F, class Alike, class Score>
ScoresByFunction scores_by_group(std::span<const F* const> all, const Alike& alike,
                                 const Score& score) {
  ScoresByFunction scores(all.size());
  std::vector<bool> done(all.size());
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (done[first]) continue;
    std::vector<std::size_t> members;
    std::vector<const F*> group;
    for (std::size_t k = first; k < all.size(); ++k) {
      if (done[k] || !alike(*all[first], *all[k])) continue;
      done[k] = true;
      members.push_back(k);
      group.push_back(all[k]);
    }
    auto of_group = score(std::span<const F* const>(group));
    for (std::size_t k = 0; k < members.size(); ++k) scores[members[k]] = std::move(of_group[k]);
  }
  return scores;
}

/// These of `values`.
template <class T>
std::vector<T> taken(const std::vector<T>& values, std::span<const std::int64_t> indices) {
  std::vector<T> chosen;
  for (const std::int64_t index : indices) {
    chosen.push_back(values[static_cast<std::size_t>(index)]);
  }
  return chosen;
}

}  // namespace rankine
