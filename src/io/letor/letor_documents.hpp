// LETOR / SVMlight text as blocks of documents. Storage::automatic goes by the first lines that
// have documents, since the whole is never seen; otherwise as when a whole data set is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "io/document_block.hpp"
#include "io/letor/letor_blocks.hpp"

namespace rankine {

class LetorDocuments {
 public:
  struct Slot {
    LetorBlock text;
    bool dense = true;
    DocumentBlock block;
  };

  /// Blocks of `num_columns` columns and about `block_bytes` of text; 0: a size that suits the
  /// columns. Keeps references.
  LetorDocuments(InputBytes& input, const ReadOptions& options, const Progress& progress,
                 std::int64_t num_columns, std::size_t block_bytes = 0);

  /// The next block's text; false at the end. One call at a time.
  bool take(Slot& slot);
  /// Makes slot.block. May run for several slots at once.
  void parse(Slot& slot) const;
  /// To be called for the parsed blocks in order, before they are used: throws what is wrong.
  void check(const Slot& slot);
  /// To be called in order, after they are used: gives their memory back.
  void release(const Slot& slot) { blocks_.release(slot.text); }
  /// After the last block; throws Error{data} when there were no documents.
  void finish() { blocks_.finish(); }

  /// Of the text so far.
  std::int64_t num_features() const { return num_features_; }

 private:
  void decide_storage(LetorBlock& text);

  LetorBlocks blocks_;
  Storage storage_;
  const std::int64_t least_features_;
  std::int64_t num_features_;
  std::int64_t num_columns_;
  std::size_t block_bytes_;
};

}  // namespace rankine
