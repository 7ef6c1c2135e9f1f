// RankRLS by normal equations. Narrow rows: every leaf of the canonical sum has sums of its own,
// made by one thread. Wide rows: such sums would not fit in memory for each thread, so leaves come
// one after the other; the rows of some queries are transformed side by side, and the matrix is
// updated tile by tile. Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient
// algorithm for learning to rank from preference graphs", 2009.
#include "objectives/ridge/normal_equations.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace rankine {
namespace {

constexpr std::size_t kGroupRows = 2048;
/// Rows multiplied at once: few enough to stay in cache, enough for the product's speed.
constexpr std::size_t kFlushRows = 384;
// Documents of a leaf where their number is not known.
constexpr std::int64_t kStreamLeaf = 4096;
constexpr std::int64_t kWideStreamLeaf = 131'072;

}  // namespace

std::int64_t RankingRows::num_rows() const {
  std::int64_t rows = 0;
  LaplacianRows transform;
  for (const QueryTable::Query& query : table_.queries()) {
    if (graph_ != PairGraph::none && table_.has_listed_pairs()) {
      transform.assign(table_.documents(query), graph_, query.factor);
      rows += static_cast<std::int64_t>(transform.num_rows());
    } else {
      rows += query.size;
    }
  }
  return rows;
}

const float* RankingRows::dense_rows(const QueryTable::Query& query, std::size_t first,
                                     std::size_t count, std::vector<float>& unpacked) const {
  const auto at = query.first + static_cast<std::int64_t>(first);
  const QueryRows rows = features_.rows(at, static_cast<std::int64_t>(count));
  if (rows.dense() != nullptr) return rows.dense();
  const CsrMatrix& sparse = *features_.sparse();
  const auto width = static_cast<std::size_t>(sparse.num_columns);
  unpacked.assign(count * width, 0.0F);
  for (std::size_t r = 0; r < count; ++r) {
    const auto row = static_cast<std::size_t>(at) + r;
    for (auto k = static_cast<std::size_t>(sparse.offsets[row]);
         k < static_cast<std::size_t>(sparse.offsets[row + 1]); ++k) {
      unpacked[r * width + sparse.columns[k]] = sparse.values[k];
    }
  }
  return unpacked.data();
}

void RankingRows::append_unscaled(std::size_t query, Block& block) const {
  const QueryTable::Query& each = table_.queries()[query];
  block.transform.assign(table_.documents(each), graph_, each.factor);
  const std::size_t first = block.targets.size();
  const std::size_t count = block.transform.num_rows();
  const auto width = static_cast<std::size_t>(features_.num_columns());
  block.targets.resize(first + count);
  block.transform.targets(std::span(block.targets).subspan(first));
  block.unexplained += block.transform.unexplained();
  if (block.rows.size() < (first + count) * width) block.rows.resize((first + count) * width);
  const float* rows = dense_rows(each, 0, static_cast<std::size_t>(each.size), block.unpacked);
  block.transform.apply(rows, width, block.rows.data() + first * width);
}

void RankingRows::make(std::size_t query, Block& block) const {
  block.clear();
  append_unscaled(query, block);
  const auto width = static_cast<std::size_t>(features_.num_columns());
  for (std::size_t k = 0; k < block.targets.size(); ++k) {
    columns_.apply(std::span(block.rows).subspan(k * width, width));
  }
}

void RankingRows::flush(Block& block, GramSums& sums) {
  sums.add(block.rows.data(), block.targets);
  sums.squares += block.unexplained;
  block.clear();
}

void RankingRows::add_unscaled(std::size_t query, Block& block, GramSums& sums) const {
  const QueryTable::Query& each = table_.queries()[query];
  const auto size = static_cast<std::size_t>(each.size);
  const bool is_listed = graph_ != PairGraph::none && table_.has_listed_pairs();
  if (size <= kGroupRows || is_listed) {
    append_unscaled(query, block);
    if (block.targets.size() >= kFlushRows) flush(block, sums);
    return;
  }
  flush(block, sums);
  block.transform.assign(table_.documents(each), graph_, each.factor);
  const auto width = static_cast<std::size_t>(features_.num_columns());
  std::vector<double> targets(size);
  block.transform.targets(targets);
  if (block.rows.size() < kFlushRows * width) block.rows.resize(kFlushRows * width);
  block.transform.start(width);
  for (std::size_t first = 0; first < size; first += kFlushRows) {
    const std::size_t count = std::min(kFlushRows, size - first);
    block.transform.add_to_means(dense_rows(each, first, count, block.unpacked), first, count);
  }
  block.transform.finish_means();
  for (std::size_t first = 0; first < size; first += kFlushRows) {
    const std::size_t count = std::min(kFlushRows, size - first);
    block.transform.write(dense_rows(each, first, count, block.unpacked), first, count,
                          block.rows.data());
    sums.add(block.rows.data(), std::span(targets).subspan(first, count));
  }
  block.clear();
}

void LeafEquations::add(const RankingRows& rows, std::size_t first_query, std::size_t last_query,
                        int threads, const StopCheck& stop) {
  if (rows.width() >= kWideGram) return add_wide(rows, first_query, last_query, threads, stop);
  for (std::size_t q = first_query; q < last_query; ++q) rows.add_unscaled(q, waiting_, sums_);
}

void LeafEquations::add_wide(const RankingRows& rows, std::size_t first_query,
                             std::size_t last_query, int threads, const StopCheck& stop) {
  threads_ = threads;
  const RankingRows unscaled(rows.features(), rows.table(), rows.graph(), ColumnScale{});
  const auto queries = rows.table().queries();
  const auto width = static_cast<std::size_t>(rows.width());
  std::vector<RankingRows::Block> blocks;
  for (std::size_t first = first_query; first < last_query;) {
    if (stop && stop()) return;
    std::size_t last = first;
    std::size_t documents = 0;
    while (last < last_query && documents < kGroupRows) documents += queries[last++].size;
    if (blocks.size() < last - first) blocks.resize(last - first);
    parallel_for(static_cast<std::int64_t>(last - first), threads, [&](std::int64_t index) {
      const auto at = static_cast<std::size_t>(index);
      unscaled.make(first + at, blocks[at]);
    });
    for (std::size_t at = 0; at < last - first; ++at) {
      const RankingRows::Block& block = blocks[at];
      const auto end = static_cast<std::ptrdiff_t>(block.targets.size() * width);
      waiting_.rows.insert(waiting_.rows.end(), block.rows.begin(), block.rows.begin() + end);
      waiting_.targets.insert(waiting_.targets.end(), block.targets.begin(), block.targets.end());
      waiting_.unexplained += block.unexplained;
      if (waiting_.targets.size() >= kGroupRows) flush_wide();
    }
    first = last;
  }
}

void LeafEquations::flush_wide() {
  const auto width = static_cast<std::size_t>(sums_.width);
  add_wide_gram(waiting_.rows.data(), static_cast<std::int64_t>(waiting_.targets.size()),
                sums_.width, threads_, sums_.gram);
  for (std::size_t k = 0; k < waiting_.targets.size(); ++k) {
    const double* row = waiting_.rows.data() + k * width;
    for (std::size_t f = 0; f < width; ++f) sums_.slope[f] += waiting_.targets[k] * row[f];
    sums_.squares += waiting_.targets[k] * waiting_.targets[k];
  }
  sums_.squares += waiting_.unexplained;
  waiting_.rows.clear();
  waiting_.clear();
}

GramSums LeafEquations::close() && {
  if (sums_.width >= kWideGram) {
    flush_wide();
  } else {
    RankingRows::flush(waiting_, sums_);
  }
  return std::move(sums_);
}

void scale_columns(const ColumnScale& columns, GramSums& sums) {
  columns.apply_both_sides(std::span(sums.gram));
  columns.apply(sums.slope);
}

GramSums normal_equations(const RankingRows& rows, int threads, const StopCheck& stop) {
  constexpr std::size_t kLeavesBetweenQuestions = 16;  // per thread: whether to stop
  const auto width = static_cast<std::size_t>(rows.width());
  const bool is_wide = rows.width() >= kWideGram;
  const Cuts& cuts = rows.table().cuts(width * width);
  const GramSums zero(rows.width());
  ThreadedTree<GramSums> tree(cuts, zero);
  const std::size_t together =
      is_wide ? 1 : kLeavesBetweenQuestions * static_cast<std::size_t>(num_worker_threads(threads));
  for (std::size_t first = 0; first < cuts.size(); first += together) {
    if (stop && stop()) break;
    const std::size_t count = std::min(together, cuts.size() - first);
    parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t index) {
      const std::size_t leaf = first + static_cast<std::size_t>(index);
      LeafEquations equations(rows.width());
      equations.add(rows, cuts[leaf].first, cuts[leaf].last, threads, stop);
      tree.put(leaf, std::move(equations).close());
    });
  }
  GramSums sums = tree.finish();
  scale_columns(rows.columns(), sums);
  return sums;
}

StreamedEquations::StreamedEquations(std::int64_t width)
    : sum_(width >= kWideGram ? kWideStreamLeaf : kStreamLeaf, LeafEquations(width),
           GramSums(width)) {}

void StreamedEquations::add(const RankingRows& rows, std::int64_t num_documents, int threads) {
  const auto queries = rows.table().queries();
  // Wide leaves come one after the other, with all threads in each.
  const int at_once = rows.width() >= kWideGram ? 1 : threads;
  sum_.add(
      num_documents, queries.size(), [&](std::size_t q) { return queries[q].first; }, at_once,
      [&](const Cuts::Leaf& leaf, LeafEquations& equations) {
        equations.add(rows, leaf.first, leaf.last, threads);
      });
}

}  // namespace rankine
