// A block has a fixed number of rows, about a megabyte of text by the expected length of a row, so
// the cuts do not depend on threads.
#include "synth/synthetic_blocks.hpp"

namespace rankine {
namespace {

std::int64_t block_rows_of(const SyntheticSource& source) {
  constexpr double kBlockBytes = 1 << 20;
  constexpr double kValueBytes = 12;
  constexpr double kOtherBytes = 40;
  const double rows = kBlockBytes / (kValueBytes * source.row_size() + kOtherBytes);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(rows));
}

}  // namespace

BlockPlan::BlockPlan(const SyntheticSource& source) : BlockPlan(source, block_rows_of(source)) {}

RowRange BlockPlan::next_block() {
  RowRange block = next_;
  while (!at_end() && block.num_rows < block_rows_) {
    const std::int64_t left = source_.query_length(next_.query) - next_.document;
    const std::int64_t taken = std::min(left, block_rows_ - block.num_rows);
    block.num_rows += taken;
    next_.document += taken;
    if (taken == left) next_ = {next_.query + 1, 0, 0};
  }
  return block;
}

}  // namespace rankine
