#include "io/letor/letor_documents.hpp"

#include <algorithm>

namespace rankine {
namespace {

constexpr std::size_t kWorthDense = 4;  // dense from one entry in so many, as in FeatureCollector

/// Rows without entries are a few bytes of text each and a whole row of memory, so dense blocks
/// shrink as columns grow; sparse ones grow, so that work by column is spread over enough rows.
std::size_t suitable_bytes(Storage storage, std::int64_t num_columns) {
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(1, num_columns));
  if (storage == Storage::sparse) {
    return std::clamp(16 * width, kTextBlockBytes, std::size_t{1} << 22);
  }
  return std::clamp((std::size_t{1} << 27) / width, std::size_t{1} << 12, kTextBlockBytes);
}

}  // namespace

LetorDocuments::LetorDocuments(InputBytes& input, const ReadOptions& options,
                               const Progress& progress, std::int64_t num_columns,
                               std::size_t block_bytes)
    : blocks_(input, options, progress),
      storage_(options.storage),
      least_features_(options.num_features),
      num_features_(options.num_features),
      num_columns_(num_columns),
      block_bytes_(block_bytes) {}

bool LetorDocuments::take(Slot& slot) {
  const std::size_t bytes =
      block_bytes_ != 0 ? block_bytes_ : suitable_bytes(storage_, num_columns_);
  if (!blocks_.take(slot.text, bytes)) return false;
  if (storage_ == Storage::automatic) decide_storage(slot.text);
  slot.dense = storage_ != Storage::sparse;
  return true;
}

void LetorDocuments::decide_storage(LetorBlock& text) {
  blocks_.parse(text);
  const std::size_t num_rows = text.rows.num_rows();
  if (num_rows == 0) return;
  const auto width = static_cast<std::size_t>(std::max(least_features_, text.rows.num_columns));
  storage_ =
      kWorthDense * text.rows.num_entries() >= num_rows * width ? Storage::dense : Storage::sparse;
}

void LetorDocuments::parse(Slot& slot) const {
  blocks_.parse(slot.text);
  const ParsedBlock& rows = slot.text.rows;
  DocumentBlock& block = slot.block;
  block.documents.source = blocks_.input().name();
  block.grades.assign(rows.grades.begin(), rows.grades.end());
  block.query_offsets.clear();
  block.query_ids.clear();
  for (const QueryRun& run : rows.query_runs) {
    block.query_offsets.push_back(static_cast<std::int64_t>(run.first_row));
    block.query_ids.push_back(run.id);
  }
  block.query_offsets.push_back(std::ssize(block.grades));
  block.comments = rows.comments;
  set_features(block,
               {rows.row_ends,
                {rows.columns.data(), rows.num_entries()},
                {rows.values.data(), rows.num_entries()},
                rows.num_columns},
               slot.dense, num_columns_);
  set_documents(block);
}

void LetorDocuments::check(const Slot& slot) {
  blocks_.check(slot.text);
  num_features_ = std::max(num_features_, slot.text.rows.num_columns);
}

}  // namespace rankine
