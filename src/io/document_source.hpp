// The interface of a format that can be streamed: blocks of bytes that are taken one after the
// other, parsed side by side, and checked, used and released in order. io/document_stream has the
// loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <rankine/array.hpp>

#include "io/document_block.hpp"

namespace rankine {

struct BlockOptions {
  /// Columns of the blocks: later ones are left out. A source that knows its width beforehand gives
  /// no more than it has; the others give exactly so many.
  std::int64_t num_columns = 0;
  /// About so many bytes of text per block; 0: what suits the format and the columns.
  std::size_t num_bytes = 0;
  /// No query is cut, where the source can tell beforehand (gives_whole_queries).
  bool whole_queries = false;
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  /// Before the first block.
  virtual void set_blocks(const BlockOptions& options) = 0;
  /// An empty one, of the kind that the functions below take.
  virtual std::unique_ptr<DocumentBlock> new_block() const = 0;
  /// The bytes of the next block; false at the end. One call at a time.
  virtual bool take(DocumentBlock& block) = 0;
  /// Makes block.documents. May run for several blocks at once; throws the block's mistakes.
  virtual void parse(DocumentBlock& block) const = 0;
  /// To be called for the parsed blocks in order, before they are used: throws what is wrong.
  virtual void check(const DocumentBlock& block) = 0;
  /// To be called in order, after they are used: frees their memory and reports progress.
  virtual void release(const DocumentBlock& block) = 0;
  /// After the last block; throws Error{data} when there were no documents.
  virtual void finish() = 0;

  /// Of the documents so far; where is_width_known() from the start.
  virtual std::int64_t num_features() const = 0;
  virtual bool is_width_known() const { return false; }
  /// By column; empty where they have none.
  virtual StringList feature_names() const { return {}; }
  virtual bool gives_whole_queries() const { return false; }
  /// By document its row in the input; empty where they come in its order.
  virtual Array<std::int64_t> input_rows() const { return {}; }
};

}  // namespace rankine
