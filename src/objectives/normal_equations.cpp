// Narrow rows: queries are cut into groups by their rows alone, every group has sums of its own,
// and they are added in order. Wide rows: sums of one's own would not fit, so the rows of a group
// are transformed side by side and the matrix is updated tile by tile.
#include "objectives/normal_equations.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace rankine {
namespace {

constexpr std::size_t kGroupRows = 2048;
/// Rows multiplied at once: few enough to stay in cache, enough for the product's speed.
constexpr std::size_t kFlushRows = 384;

struct Group {
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Group> cut_groups(const QueryTable& table) {
  std::vector<Group> groups;
  std::size_t rows = 0;
  const auto queries = table.queries();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (groups.empty() || rows >= kGroupRows) {
      groups.push_back({q, q});
      rows = 0;
    }
    groups.back().last = q + 1;
    rows += static_cast<std::size_t>(queries[q].size);
  }
  return groups;
}

void add_narrow(const RankingRows& rows, std::span<const Group> groups, int threads,
                const StopCheck& stop, GramSums& sums) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  const std::size_t bytes = std::max<std::size_t>(1, sums.gram.size() * sizeof(double));
  const std::size_t wave = std::clamp<std::size_t>(kMostBytes / bytes, 8, 64);
  std::vector<GramSums> parts(std::min(wave, groups.size()));
  for (std::size_t first = 0; first < groups.size(); first += wave) {
    if (stop && stop()) return;
    const std::size_t count = std::min(wave, groups.size() - first);
    parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t index) {
      const auto at = static_cast<std::size_t>(index);
      parts[at] = GramSums(sums.width);
      RankingRows::Block block;
      for (std::size_t q = groups[first + at].first; q < groups[first + at].last; ++q) {
        rows.add_unscaled(q, block, parts[at]);
      }
      rows.flush(block, parts[at]);
    });
    for (std::size_t k = 0; k < count; ++k) sums.add(parts[k]);
  }
}

void add_wide(const RankingRows& rows, std::span<const Group> groups, int threads,
              const StopCheck& stop, GramSums& sums) {
  std::vector<RankingRows::Block> blocks;
  std::vector<double> gathered;
  std::vector<double> targets;
  const RankingRows unscaled(rows.features(), rows.table(), rows.graph(), ColumnScale{});
  const auto width = static_cast<std::size_t>(rows.width());
  for (const Group& group : groups) {
    if (stop && stop()) return;
    const std::size_t count = group.last - group.first;
    if (blocks.size() < count) blocks.resize(count);
    parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t index) {
      const auto at = static_cast<std::size_t>(index);
      unscaled.make(group.first + at, blocks[at]);
    });
    gathered.clear();
    targets.clear();
    for (std::size_t k = 0; k < count; ++k) {
      gathered.insert(gathered.end(), blocks[k].rows.data(),
                      blocks[k].rows.data() + blocks[k].targets.size() * width);
      targets.insert(targets.end(), blocks[k].targets.begin(), blocks[k].targets.end());
      sums.squares += blocks[k].unexplained;
    }
    add_wide_gram(gathered.data(), static_cast<std::int64_t>(targets.size()), rows.width(), threads,
                  sums.gram);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const double* row = gathered.data() + k * width;
      for (std::size_t f = 0; f < width; ++f) sums.slope[f] += targets[k] * row[f];
      sums.squares += targets[k] * targets[k];
    }
  }
}

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

void RankingRows::flush(Block& block, GramSums& sums) const {
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

void add_normal_equations(const RankingRows& rows, int threads, const StopCheck& stop,
                          GramSums& sums) {
  const std::vector<Group> groups = cut_groups(rows.table());
  if (rows.width() < kWideGram) {
    add_narrow(rows, groups, threads, stop, sums);
  } else {
    add_wide(rows, groups, threads, stop, sums);
  }
}

void scale_columns(const ColumnScale& columns, GramSums& sums) {
  columns.apply_both_sides(std::span(sums.gram));
  columns.apply(sums.slope);
}

GramSums normal_equations(const RankingRows& rows, int threads, const StopCheck& stop) {
  GramSums sums(rows.width());
  add_normal_equations(rows, threads, stop, sums);
  scale_columns(rows.columns(), sums);
  return sums;
}

}  // namespace rankine
