// Work on the rows of one query that several threads share where there are many. They are cut into
// leaves by their number alone and summed in the same tree as queries are
// (base/sums/canonical_sum), so the result does not depend on the threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "base/prefetcher.hpp"
#include "base/sums/canonical_sum.hpp"
#include "compute/cpu/partial_sums.hpp"

namespace rankine {

constexpr std::size_t kLeastBlockRows = 16'384;

/// Whether several threads share the rows of a query.
constexpr bool shares_rows(std::size_t num_rows) {
  return num_rows >= 2 * kLeastBlockRows;
}

/// The leaves of the rows of one query.
inline Cuts row_cuts(std::size_t num_rows) {
  constexpr std::size_t kMost = 16;  // each may have a sum of its own
  return Cuts::of_items(
      num_rows, std::bit_floor(std::clamp(num_rows / kLeastBlockRows, std::size_t{1}, kMost)));
}

/// Calls body(first, count) for blocks of the rows 0 .. num_rows - 1.
template <class Body>
void for_each_row_block(std::size_t num_rows, int threads, const Body& body) {
  if (!shares_rows(num_rows)) return body(std::size_t{0}, num_rows);
  const Cuts cuts = row_cuts(num_rows);
  parallel_for(static_cast<std::int64_t>(cuts.size()), threads, [&](std::int64_t index) {
    const Cuts::Leaf& block = cuts[static_cast<std::size_t>(index)];
    body(block.first, block.last - block.first);
  });
}

/// Calls body(first, count, sum), which adds to its sum, and adds the sums to `out`.
template <class Body>
void add_row_blocks(std::size_t num_rows, int threads, std::span<double> out, const Body& body) {
  if (!shares_rows(num_rows)) return body(std::size_t{0}, num_rows, out);
  const auto sum =
      reduce_queries(row_cuts(num_rows), threads, VectorSum<double>(out.size()),
                     [&](const Cuts::Leaf& block, VectorSum<double>& own) {
                       body(block.first, block.last - block.first, std::span(own.values));
                     });
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += sum.values[k];
}

/// Adds the rows of one query by add_rows(first, count, sum, ahead).
template <class T, class AddRows>
void add_rows_to(PartialSums<T>& partial, std::size_t num_rows, int threads, Prefetcher& ahead,
                 const AddRows& add_rows) {
  if (!shares_rows(num_rows)) {
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
