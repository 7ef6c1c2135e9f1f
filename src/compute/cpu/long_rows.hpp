// Work on the rows of one query that several threads share where there are many. Rows are split by
// their number alone, and sums are added up in order, so the result does not depend on the threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "base/prefetcher.hpp"
#include "compute/cpu/group_sums.hpp"

namespace rankine {

class RowBlocks {
 public:
  explicit RowBlocks(std::size_t num_rows)
      : num_rows_(num_rows), size_(std::clamp(num_rows / kLeastRows, std::size_t{1}, kMost)) {}

  std::size_t size() const { return size_; }
  std::size_t first(std::size_t block) const { return block * num_rows_ / size_; }
  std::size_t count(std::size_t block) const { return first(block + 1) - first(block); }

 private:
  static constexpr std::size_t kLeastRows = 16'384;
  static constexpr std::size_t kMost = 16;  // each may have a sum of its own

  std::size_t num_rows_;
  std::size_t size_;
};

/// Calls body(first, count) for blocks of the rows 0 .. num_rows - 1.
template <class Body>
void for_each_row_block(std::size_t num_rows, int threads, const Body& body) {
  const RowBlocks blocks(num_rows);
  if (blocks.size() == 1) return body(std::size_t{0}, num_rows);
  parallel_for(static_cast<std::int64_t>(blocks.size()), threads, [&](std::int64_t index) {
    const auto block = static_cast<std::size_t>(index);
    body(blocks.first(block), blocks.count(block));
  });
}

/// Calls body(first, count, sum), which adds to its sum, and adds the sums to `out`.
template <class Body>
void add_row_blocks(std::size_t num_rows, int threads, std::span<double> out, const Body& body) {
  const RowBlocks blocks(num_rows);
  if (blocks.size() == 1) return body(std::size_t{0}, num_rows, out);
  GroupSums sums(blocks.size(), out.size());
  parallel_for(static_cast<std::int64_t>(blocks.size()), threads, [&](std::int64_t index) {
    const auto block = static_cast<std::size_t>(index);
    body(blocks.first(block), blocks.count(block), sums.of(block));
  });
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += sums.of(block)[k];
  }
}

/// Adds the rows of one query by add_rows(first, count, sum, ahead).
template <class T, class AddRows>
void add_rows_to(PartialSums<T>& partial, std::size_t num_rows, int threads, Prefetcher& ahead,
                 const AddRows& add_rows) {
  if (RowBlocks(num_rows).size() == 1) {
    partial.add(num_rows, [&](std::size_t first, std::size_t count, auto sum) {
      add_rows(first, count, sum, ahead);
    });
    return;
  }
  add_row_blocks(num_rows, threads, partial.total(),
                 [&](std::size_t first, std::size_t count, std::span<double> sum) {
                   PartialSums<T> own(sum);
                   Prefetcher nothing;
                   own.add(count, [&](std::size_t from, std::size_t here, auto part) {
                     add_rows(first + from, here, part, nothing);
                   });
                   own.finish();
                 });
}

}  // namespace rankine
