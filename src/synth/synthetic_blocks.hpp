// The rows of synthetic data cut into blocks that are made in parallel and used in order. A block
// may start and end anywhere in a query, so one query of any length needs no more memory than many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "synth/synthetic_source.hpp"

namespace rankine {

/// Documents that follow each other, from `document` of `query` on, both from 0.
struct RowRange {
  std::int64_t query = 0;
  std::int64_t document = 0;
  std::int64_t num_rows = 0;
};

/// Cuts all rows of a source, which must outlive it, into blocks of about a megabyte of text.
class BlockPlan {
 public:
  explicit BlockPlan(const SyntheticSource& source);
  BlockPlan(const SyntheticSource& source, std::int64_t block_rows)
      : source_(source), block_rows_(block_rows) {}

  bool at_end() const { return next_.query == source_.options().queries; }
  /// Requires: not at_end().
  RowRange next_block();

 private:
  const SyntheticSource& source_;
  std::int64_t block_rows_;
  RowRange next_;
};

/// Calls visit(query, document, row) for each row of a range, in order.
template <class Visit>
void for_each_row(const SyntheticSource& source, RowRange range, Visit visit) {
  SyntheticRow row;
  while (range.num_rows > 0) {
    const SyntheticQuery query = source.query(range.query);
    const std::int64_t last =
        std::min(source.query_length(range.query), range.document + range.num_rows);
    range.num_rows -= last - range.document;
    for (; range.document < last; ++range.document) {
      source.make_row(query, range.document, row);
      visit(range.query, range.document, row);
    }
    range = {range.query + 1, 0, range.num_rows};
  }
}

/// Calls make(range, block) for all blocks of the plan, several at a time, and use(block) for each
/// of them in order, one at a time. While a wave of blocks is being made, the wave before it is
/// used; a Block is used again two waves later.
template <class Block, class Make, class Use>
void stream_blocks(BlockPlan plan, int threads, Make make, Use use) {
  const auto wave_size = static_cast<std::size_t>(4 * num_worker_threads(threads));
  std::vector<Block> made(wave_size);
  std::vector<Block> used(wave_size);
  std::vector<RowRange> ranges;
  std::size_t num_ready = 0;
  do {
    ranges.clear();
    while (ranges.size() < wave_size && !plan.at_end()) ranges.push_back(plan.next_block());
    parallel_for(static_cast<std::int64_t>(ranges.size()) + 1, threads, [&](std::int64_t task) {
      if (task == 0) {
        for (std::size_t index = 0; index < num_ready; ++index) use(used[index]);
      } else {
        const auto index = static_cast<std::size_t>(task) - 1;
        make(ranges[index], made[index]);
      }
    });
    std::swap(made, used);
    num_ready = ranges.size();
  } while (num_ready > 0);
}

}  // namespace rankine
